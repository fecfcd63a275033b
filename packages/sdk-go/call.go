package postrider

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
)

// keyUsed says that the idempotency key of a request was used before; digest is that of this request's body.
type keyUsed struct {
	refused *APIError
	digest  string
	// Whether an attempt of this call may have been the first use.
	wasUnsure bool
}

func (e *keyUsed) Error() string { return e.refused.Error() }

// isSame says whether the first request was this one: its bytes are those of this call. Before the API had digests, a lost answer was the
// only sign of it.
func (e *keyUsed) isSame() bool {
	var original string
	if json.Unmarshal(e.refused.Details["originalDigest"], &original) == nil && original != "" {
		return original == e.digest
	}
	return e.wasUnsure
}

// digestOf is that of RFC 9530, as the API has it.
func digestOf(body []byte) string {
	sum := sha256.Sum256(body)
	return "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
}

// keyed gives a call an idempotency key; a dry run uses none up.
func keyed(s settings) settings {
	if s.dryRun {
		s.idempotencyKey = ""
	} else if s.idempotencyKey == "" {
		var id [16]byte
		// It never fails: crypto/rand ends the program instead.
		_, _ = rand.Read(id[:])
		id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
		s.idempotencyKey = fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	}
	return s
}

// call calls an operation and reads its answer. It returns an *APIError when the API refuses it, a *ConnectionError without an answer, and the cause
// of the context when that ends.
func call[T any](ctx context.Context, c *connection, op operation, input any, options []Option) (T, error) {
	var answer T
	data, err := callOnce(ctx, c, op, input, c.with(options))
	if err != nil {
		return answer, plainError(err)
	}
	if op.raw {
		// Only []byte is asked for.
		*any(&answer).(*[]byte) = data
		return answer, nil
	}
	return answer, decode(data, &answer)
}

func callWithoutAnswer(ctx context.Context, c *connection, op operation, input any, options []Option) error {
	_, err := callOnce(ctx, c, op, input, c.with(options))
	return plainError(err)
}

func plainError(err error) error {
	var used *keyUsed
	if errors.As(err, &used) {
		return used.refused
	}
	return err
}

// callOnce is the same for a call that can make a result of a key that was used before, by keyUsed.
func callOnce(ctx context.Context, c *connection, op operation, input any, s settings) ([]byte, error) {
	if s.dryRun {
		s.idempotencyKey = ""
	}
	if !isKey(s.idempotencyKey) {
		return nil, misuse("the idempotency key must be 1 to 255 printable ASCII characters")
	}
	made, err := requestOf(c, op, input)
	if err != nil {
		return nil, err
	}
	repeatable := op.method == http.MethodGet || s.idempotencyKey != "" || s.dryRun
	// True once an attempt may have been accepted without its answer arriving.
	unsure := false
	for attempt := 0; ; attempt++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		data, header, err := attemptOnce(ctx, c, op, made, s)
		if err == nil {
			return data, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if errors.Is(err, errNotDry) {
			return nil, err
		}
		var refused *APIError
		isRefused := errors.As(err, &refused)
		if isRefused && refused.Code == "IDEMPOTENCY_KEY_REUSED" && !op.form {
			return nil, &keyUsed{refused, digestOf(made.body), unsure}
		}
		again := repeatable
		if isRefused {
			again = isRetriable(refused.Status, repeatable)
		}
		delay := retryDelay(attempt, header)
		if !again || attempt >= s.maxRetries || delay > s.maxRetryDelay {
			return nil, err
		}
		unsure = unsure || !isRefused || refused.Status != http.StatusTooManyRequests
		if err := wait(ctx, delay); err != nil {
			return nil, err
		}
	}
}

func isKey(key string) bool {
	for _, character := range []byte(key) {
		if character < 0x20 || character > 0x7e {
			return false
		}
	}
	return len(key) <= 255
}

// attemptOnce sends the request and reads the whole answer.
func attemptOnce(ctx context.Context, c *connection, op operation, made request, s settings) ([]byte, http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var body io.Reader
	if made.body != nil {
		body = bytes.NewReader(made.body)
	}
	sending, err := http.NewRequestWithContext(ctx, made.method, made.url, body)
	if err != nil {
		return nil, nil, err
	}
	// Without it net/http would repeat a request with a key by itself, and nobody would know that an answer was lost.
	sending.GetBody = nil
	sending.Header.Set("Authorization", "Bearer "+c.apiKey)
	if made.contentType != "" {
		sending.Header.Set("Content-Type", made.contentType)
	}
	if s.idempotencyKey != "" {
		sending.Header.Set("Idempotency-Key", s.idempotencyKey)
	}
	if s.dryRun {
		sending.Header.Set("Dry-Run", "true")
	}
	answer, err := c.http.Do(sending)
	if err != nil {
		return nil, nil, lost(ctx, err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, nil, lost(ctx, err)
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return nil, answer.Header, refusalOf(answer.StatusCode, answer.Header, content)
	}
	if s.dryRun && op.method != http.MethodGet && answer.Header.Get("Dry-Run") != "true" {
		return nil, nil, errNotDry
	}
	data, err := dataOf(op, answer.StatusCode, content)
	if err != nil {
		return nil, nil, &ConnectionError{Err: err}
	}
	return data, nil, nil
}

var errNotDry = misuse("this server has no dry runs: it has carried the request out")

func lost(ctx context.Context, err error) error {
	return &ConnectionError{Timeout: errors.Is(ctx.Err(), context.DeadlineExceeded), Err: err}
}

func dataOf(op operation, status int, content []byte) ([]byte, error) {
	if op.raw || status == http.StatusNoContent {
		return content, nil
	}
	if !op.envelope {
		if !json.Valid(content) {
			return nil, errShape
		}
		return content, nil
	}
	var answer struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return nil, err
	}
	if answer.Data == nil {
		return nil, errShape
	}
	return answer.Data, nil
}

type pageOf[Item any] struct {
	Data       []Item  `json:"data"`
	Cursor     *string `json:"cursor"`
	Page       *int    `json:"page"`
	TotalPages *int    `json:"totalPages"`
}

// all gives the items of a list, page after page.
func all[Item any](ctx context.Context, c *connection, op operation, input any, options []Option) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		fields, err := fieldsOf(input)
		for err == nil {
			var page pageOf[Item]
			if page, err = call[pageOf[Item]](ctx, c, op, fields, options); err != nil {
				break
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			switch {
			case page.Cursor != nil:
				fields["cursor"] = *page.Cursor
			case page.Page != nil && page.TotalPages != nil && *page.Page < *page.TotalPages:
				fields["page"] = *page.Page + 1
			default:
				return
			}
		}
		var none Item
		yield(none, err)
	}
}

func fieldsOf(input any) (map[string]any, error) {
	data, err := json.Marshal(input)
	if err != nil {
		return nil, misuse("the input is no JSON: %v", err)
	}
	fields := map[string]any{}
	// Numbers stay as they are written.
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return fields, decoder.Decode(&fields)
}
