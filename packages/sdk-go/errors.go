package postrider

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// FieldError is one problem of one field; Field is a dot path such as to.0.email.
type FieldError struct {
	Field    string          `json:"field"`
	Message  string          `json:"message"`
	Code     string          `json:"code"`
	Received json.RawMessage `json:"received,omitempty"`
}

// APIError says that the API refused the request, or failed. errors.Is with one of the values Err… tells which kind it is.
type APIError struct {
	// One of the API's stable codes, or UNEXPECTED_RESPONSE for answers that are not the API's.
	Code    string
	Message string
	// The HTTP status.
	Status int
	// Id of the request in the API's log, for questions about it.
	RequestID string
	// One item per problem of a field; empty unless the status is 422.
	Errors []FieldError
	// Further context, by code.
	Details map[string]json.RawMessage
	// What to do about it.
	Suggestion string
}

func (e *APIError) Error() string { return fmt.Sprintf("%s (%s, %d)", e.Message, e.Code, e.Status) }

// Is compares with the kinds of errors.
func (e *APIError) Is(target error) bool {
	kind, ok := target.(statusError)
	return ok && e.Status == int(kind)
}

type statusError int

func (e statusError) Error() string {
	return fmt.Sprintf("the API refused the request with %d", int(e))
}

// Kinds of an APIError.
const (
	// The key is missing, unknown, or of the wrong kind.
	ErrAuthentication statusError = http.StatusUnauthorized
	// A billing limit is reached.
	ErrBillingLimit statusError = http.StatusPaymentRequired
	// The key may not do this, the project is disabled, or the sender's domain is not verified.
	ErrPermission statusError = http.StatusForbidden
	// There is no such record.
	ErrNotFound statusError = http.StatusNotFound
	// A duplicate, a record in use, a wrong state, or an idempotency key of another request.
	ErrConflict statusError = http.StatusConflict
	// Errors names the fields.
	ErrValidation statusError = http.StatusUnprocessableEntity
	// Too many requests; returned when the retries are used up.
	ErrRateLimit statusError = http.StatusTooManyRequests
)

// ConnectionError says that the request did not get an answer: no connection, it was lost, or it took too long.
type ConnectionError struct {
	// Whether the answer did not arrive in time.
	Timeout bool
	Err     error
}

func (e *ConnectionError) Error() string {
	if e.Timeout {
		return "no answer arrived in time"
	}
	return fmt.Sprintf("the request got no answer (%v)", e.Err)
}

func (e *ConnectionError) Unwrap() error { return e.Err }

// BatchError says that a part of a batch failed after earlier ones were accepted. Repeat the whole call with IdempotencyKey to send the rest: what
// was accepted is not sent again.
type BatchError struct {
	// The results of the parts before.
	Done           *SentBatch
	IdempotencyKey string
	Err            error
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("after %d emails of the batch: %v", len(e.Done.Results), e.Err)
}

func (e *BatchError) Unwrap() error { return e.Err }

type refusal struct {
	Code       string                     `json:"code"`
	Message    string                     `json:"message"`
	RequestID  string                     `json:"requestId"`
	Errors     []FieldError               `json:"errors"`
	Details    map[string]json.RawMessage `json:"details"`
	Suggestion string                     `json:"suggestion"`
}

// refusalOf reads the error of a refused request: from the envelope, a flat {error}, the errors of GraphQL, or none of them (a proxy answered).
func refusalOf(status int, header http.Header, content []byte) *APIError {
	given := readError(content)
	refused := &APIError{
		Code: given.Code, Message: given.Message, Status: status, RequestID: given.RequestID,
		Errors: given.Errors, Details: given.Details, Suggestion: given.Suggestion,
	}
	if refused.Code == "" {
		refused.Code = "UNEXPECTED_RESPONSE"
	}
	if refused.Message == "" {
		refused.Message = fmt.Sprintf("The answer has status %d", status)
	}
	if refused.RequestID == "" {
		refused.RequestID = header.Get("X-Request-Id")
	}
	return refused
}

func readError(content []byte) (read refusal) {
	var answer struct {
		Error  json.RawMessage `json:"error"`
		Errors []struct {
			Message    string  `json:"message"`
			Extensions refusal `json:"extensions"`
		} `json:"errors"`
	}
	if decode(content, &answer) != nil {
		return refusal{}
	}
	var flat string
	if json.Unmarshal(answer.Error, &flat) == nil && flat != "" {
		return refusal{Code: "BAD_REQUEST", Message: flat}
	}
	if answer.Error != nil {
		// What does not fit stays empty.
		_ = decode(answer.Error, &read)
		return read
	}
	if len(answer.Errors) > 0 {
		read = answer.Errors[0].Extensions
		if answer.Errors[0].Message != "" {
			read.Message = answer.Errors[0].Message
		}
	}
	return read
}

// A mistake of the caller, found before anything is sent.
func misuse(format string, values ...any) error {
	return fmt.Errorf("postrider: "+format, values...)
}

var errShape = errors.New("it is not one of the API")
