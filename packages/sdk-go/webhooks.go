package postrider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ErrVerification says that the request is not one that Postrider sent to this address, or not a recent one: answer 400 and do nothing.
var ErrVerification = errors.New("the request is not verified")

// VerifiedWebhook is a request of a webhook endpoint.
type VerifiedWebhook struct {
	// The same for every attempt and replay of a delivery: keep it to handle each delivery once.
	ID string
	// One of the events by its Kind. The Value of a kind that is newer than this module is nil; Raw has it.
	Event WebhookEvent
}

// VerifiedStep is a request of a WEBHOOK step of a workflow.
type VerifiedStep struct {
	// Id of the step's execution, the same for every attempt.
	Delivery string
	// The body; empty where the step has none.
	Body json.RawMessage
}

// Verifier verifies requests. Signatures are compared in constant time.
type Verifier struct {
	// One, or several while they change.
	Secrets []string
	// How far the time of a request may be from now. Default 5 minutes.
	Tolerance time.Duration
	// Default time.Now.
	Now func() time.Time
}

// VerifyWebhook verifies a request of a webhook endpoint by Standard Webhooks and reads it. The payload is the body as it arrived; the secrets are
// the endpoint's whsec_…. The error is ErrVerification unless one secret signed exactly this body, id and time, and the time is near.
func VerifyWebhook(payload []byte, header http.Header, secrets ...string) (*VerifiedWebhook, error) {
	return Verifier{Secrets: secrets}.Webhook(payload, header)
}

// VerifyStep does the same for a request of a WEBHOOK step, by its header X-Postrider-Signature. The secrets are the webhook secret of the project.
func VerifyStep(payload []byte, header http.Header, secrets ...string) (*VerifiedStep, error) {
	return Verifier{Secrets: secrets}.Step(payload, header)
}

// Webhook is VerifyWebhook.
func (v Verifier) Webhook(payload []byte, header http.Header) (*VerifiedWebhook, error) {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	if id == "" {
		return nil, unverified("the header webhook-id is missing")
	}
	var signatures [][]byte
	for _, each := range strings.Split(header.Get("Webhook-Signature"), " ") {
		text, ok := strings.CutPrefix(each, "v1,")
		if signature, err := base64.StdEncoding.DecodeString(text); ok && err == nil {
			signatures = append(signatures, signature)
		}
	}
	var secrets [][]byte
	for _, each := range v.Secrets {
		secret, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.TrimPrefix(each, "whsec_"), "="))
		if err != nil || len(secret) == 0 {
			return nil, misuse("the secret must be that of the webhook endpoint: whsec_ and base64")
		}
		secrets = append(secrets, secret)
	}
	if err := v.check(timestamp, []byte(id+"."+timestamp+"."), payload, signatures, secrets); err != nil {
		return nil, err
	}
	verified := &VerifiedWebhook{ID: id}
	if err := decode(payload, &verified.Event); err != nil {
		return nil, unverified("the body is no event: " + err.Error())
	}
	return verified, nil
}

var stepSignature = regexp.MustCompile(`^t=([0-9]{1,12}),v1=([0-9a-f]{64})$`)

// Step is VerifyStep.
func (v Verifier) Step(payload []byte, header http.Header) (*VerifiedStep, error) {
	delivery := header.Get("X-Postrider-Delivery")
	if delivery == "" {
		return nil, unverified("the header x-postrider-delivery is missing")
	}
	parts := stepSignature.FindStringSubmatch(header.Get("X-Postrider-Signature"))
	if parts == nil {
		return nil, unverified("the header x-postrider-signature is missing or malformed")
	}
	signature, err := hex.DecodeString(parts[2])
	if err != nil {
		return nil, unverified(err.Error())
	}
	var secrets [][]byte
	for _, each := range v.Secrets {
		// Anybody can sign with an empty one.
		if each == "" {
			return nil, misuse("the secret must be the webhook secret of the project")
		}
		secrets = append(secrets, []byte(each))
	}
	if err := v.check(parts[1], []byte(parts[1]+"."), payload, [][]byte{signature}, secrets); err != nil {
		return nil, err
	}
	if len(payload) > 0 && !json.Valid(payload) {
		return nil, unverified("the body is no JSON")
	}
	return &VerifiedStep{Delivery: delivery, Body: payload}, nil
}

// check tries every signature with every secret.
func (v Verifier) check(timestamp string, prefix, payload []byte, signatures, secrets [][]byte) error {
	now, tolerance := time.Now(), v.Tolerance
	if v.Now != nil {
		now = v.Now()
	}
	if tolerance == 0 {
		tolerance = 5 * time.Minute
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || now.Sub(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return unverified("it is too old, or its time is in the future")
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(prefix)
		mac.Write(payload)
		expected := mac.Sum(nil)
		for _, signature := range signatures {
			if hmac.Equal(expected, signature) {
				return nil
			}
		}
	}
	return unverified("no signature is valid for the secret")
}

func unverified(why string) error { return fmt.Errorf("%w: %s", ErrVerification, why) }
