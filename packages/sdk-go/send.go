package postrider

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Sent is the result of a send.
type Sent struct {
	// One per recipient. The contact is empty once it is deleted, which only a repeated send can find.
	Emails    []SentEmail
	Timestamp time.Time
	// Values that were used for this request and not stored on the contact.
	Warnings []FieldWarning
	// True when the same request was accepted before, by this call or another one with its key, in whatever process. Nothing was sent now; Emails and
	// Timestamp are those of the first request, with the present state of the emails.
	Repeated bool
	// True when it was this call that had been accepted: the connection failed before its answer, and the retry found that out.
	AnswerLost bool
}

// Send sends a transactional email, exactly once however often it is retried. Where the idempotency key belongs to another request it is refused with
// ErrConflict.
func (c *Client) Send(ctx context.Context, email SendEmailInput, options ...Option) (*Sent, error) {
	data, err := callOnce(ctx, c.connection, opSendingSend, email, keyed(c.connection.with(options)))
	if used, first := firstOf(err); used != nil {
		sent := &Sent{Repeated: true, AnswerLost: used.wasUnsure}
		return sent, errors.Join(read(first["emails"], &sent.Emails), read(first["originalRequestAt"], &sent.Timestamp))
	}
	if err != nil {
		return nil, plainError(err)
	}
	var sent SendEmailPayload
	if err := decode(data, &sent); err != nil {
		return nil, err
	}
	return &Sent{Emails: sent.Emails, Timestamp: sent.Timestamp, Warnings: sent.Warnings}, nil
}

// firstOf is what the first request with the key made, where it was the same one.
func firstOf(err error) (*keyUsed, map[string]json.RawMessage) {
	var used *keyUsed
	if errors.As(err, &used) && used.isSame() {
		return used, used.refused.Details
	}
	return nil, nil
}

func read(data json.RawMessage, into any) error {
	if data == nil {
		return nil
	}
	return decode(data, into)
}

// Tracked is the result of Track.
type Tracked struct {
	// Id of the contact, and of the event; empty where what the first request made is not known, or the contact is deleted.
	Contact, Event string
	Timestamp      time.Time
	// True when the same request was accepted before, by this call or another one with its key. Nothing was recorded now.
	Repeated bool
	// True when it was this call that had been accepted, and the answer was lost.
	AnswerLost bool
}

// Track records an event of a contact, exactly once however often it is retried. A public key uses POST /v1/track, a secret key POST /events/track.
func (c *Client) Track(ctx context.Context, event EventsTrackInput, options ...Option) (*Tracked, error) {
	op := opEventsRecord
	if c.connection.isPublic() {
		op = opEventsTrack
	}
	data, err := callOnce(ctx, c.connection, op, event, keyed(c.connection.with(options)))
	if used, first := firstOf(err); used != nil {
		tracked := &Tracked{Repeated: true, AnswerLost: used.wasUnsure}
		return tracked, errors.Join(
			read(first["contact"], &tracked.Contact),
			read(first["event"], &tracked.Event),
			read(first["originalRequestAt"], &tracked.Timestamp),
		)
	}
	if err != nil {
		return nil, plainError(err)
	}
	var made struct {
		// Of the public operation, and of the other one.
		Contact, Event, ID, ContactID string
		Timestamp, CreatedAt          time.Time
	}
	if err := decode(data, &made); err != nil {
		return nil, err
	}
	if c.connection.isPublic() {
		return &Tracked{Contact: made.Contact, Event: made.Event, Timestamp: made.Timestamp}, nil
	}
	return &Tracked{Contact: made.ContactID, Event: made.ID, Timestamp: made.CreatedAt}, nil
}
