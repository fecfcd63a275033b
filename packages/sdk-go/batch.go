package postrider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// SentBatchItem is the result of one email of a batch.
type SentBatchItem struct {
	// Its place in the batch.
	Index int `json:"index"`
	// ACCEPTED or REFUSED.
	Status string      `json:"status"`
	Emails []SentEmail `json:"emails"`
	// What a single send would be refused with; nil for an accepted one.
	Error *APIError `json:"-"`
}

// UnmarshalJSON reads the refusal as an APIError.
func (i *SentBatchItem) UnmarshalJSON(data []byte) error {
	type plain SentBatchItem
	var refused struct {
		Error *struct {
			refusal
			StatusCode int `json:"statusCode"`
		} `json:"error"`
	}
	if err := errors.Join(decode(data, (*plain)(i)), decode(data, &refused)); err != nil || refused.Error == nil {
		return err
	}
	given := refused.Error
	i.Error = &APIError{
		Code: given.Code, Message: given.Message, Status: given.StatusCode, RequestID: given.RequestID,
		Errors: given.Errors, Details: given.Details, Suggestion: given.Suggestion,
	}
	return nil
}

// SentBatch is the result of a batch.
type SentBatch struct {
	// One per given email, in their order.
	Results           []SentBatchItem
	Accepted, Refused int
	// That of the last request.
	Timestamp time.Time
	// True when all of it was accepted before, with the same key. Nothing was sent now.
	Repeated bool
	// True when it was this call that had been accepted, and an answer was lost.
	AnswerLost bool
}

// Emails of one request, one per recipient.
const batchLimit = 1_000

var opSendBatch = operation{method: "POST", path: "/v1/send/batch", body: true, envelope: true}

// SendBatch sends different emails in few requests of at most 1,000, one after another, each once. A refused email does not end the others. When a
// request fails after earlier ones were accepted, the error is a *BatchError.
func (c *Client) SendBatch(ctx context.Context, emails []SendEmailInput, options ...Option) (*SentBatch, error) {
	return c.sendBatch(ctx, emails, false, options)
}

// SendAtomicBatch sends at most 1,000 different emails, or none of them where one is refused: then that refusal is the error.
func (c *Client) SendAtomicBatch(ctx context.Context, emails []SendEmailInput, options ...Option) (*SentBatch, error) {
	return c.sendBatch(ctx, emails, true, options)
}

func (c *Client) sendBatch(ctx context.Context, emails []SendEmailInput, atomic bool, options []Option) (*SentBatch, error) {
	parts := partsOf(emails)
	if atomic && len(parts) > 1 {
		return nil, misuse("an atomic batch must have at most %d emails, one per recipient", batchLimit)
	}
	all := keyed(c.connection.with(options))
	key := all.idempotencyKey
	done := &SentBatch{Repeated: true}
	for number, part := range parts {
		if key != "" && number > 0 {
			all.idempotencyKey = fmt.Sprintf("%s/%d", key, number)
		}
		answer, err := c.sendPart(ctx, part, atomic, all)
		if err != nil {
			if number == 0 || key == "" {
				return nil, err
			}
			return nil, &BatchError{Done: done, IdempotencyKey: key, Err: err}
		}
		done.join(answer)
	}
	return done, nil
}

func (c *Client) sendPart(ctx context.Context, emails []SendEmailInput, atomic bool, s settings) (*SentBatch, error) {
	input := struct {
		Emails []SendEmailInput `json:"emails"`
		Atomic bool             `json:"atomic,omitempty"`
	}{emails, atomic}
	data, err := callOnce(ctx, c.connection, opSendBatch, input, s)
	if used, first := firstOf(err); used != nil {
		sent := &SentBatch{Repeated: true, AnswerLost: used.wasUnsure}
		err := errors.Join(read(first["results"], &sent.Results), read(first["originalRequestAt"], &sent.Timestamp))
		for _, item := range sent.Results {
			if item.Status == "ACCEPTED" {
				sent.Accepted++
			}
		}
		sent.Refused = len(sent.Results) - sent.Accepted
		return sent, err
	}
	if err != nil {
		return nil, plainError(err)
	}
	var sent struct {
		Results           []SentBatchItem
		Accepted, Refused int
		Timestamp         time.Time
	}
	if err := decode(data, &sent); err != nil {
		return nil, err
	}
	return &SentBatch{Results: sent.Results, Accepted: sent.Accepted, Refused: sent.Refused, Timestamp: sent.Timestamp}, nil
}

func (b *SentBatch) join(part *SentBatch) {
	before := len(b.Results)
	for _, item := range part.Results {
		item.Index += before
		b.Results = append(b.Results, item)
	}
	b.Accepted += part.Accepted
	b.Refused += part.Refused
	b.Timestamp = part.Timestamp
	b.Repeated = b.Repeated && part.Repeated
	b.AnswerLost = b.AnswerLost || part.AnswerLost
}

// partsOf are the emails in their order, as many as one request takes. One that has too many recipients by itself is refused by the API.
func partsOf(emails []SendEmailInput) [][]SendEmailInput {
	parts := [][]SendEmailInput{{}}
	size := 0
	for _, email := range emails {
		more := recipientsOf(email)
		last := len(parts) - 1
		if len(parts[last]) > 0 && size+more > batchLimit {
			parts, size, last = append(parts, nil), 0, last+1
		}
		parts[last] = append(parts[last], email)
		size += more
	}
	return parts
}

// recipientsOf counts To, and Cc and Bcc where the API has them: each is one mailbox or a list.
func recipientsOf(email SendEmailInput) int {
	data, err := json.Marshal(email)
	var fields struct{ To, Cc, Bcc any }
	if err != nil || json.Unmarshal(data, &fields) != nil {
		return 1
	}
	count := 0
	for _, each := range []any{fields.To, fields.Cc, fields.Bcc} {
		if each == nil {
			continue
		}
		if list := reflect.ValueOf(each); list.Kind() == reflect.Slice {
			count += list.Len()
		} else {
			count++
		}
	}
	return max(1, count)
}
