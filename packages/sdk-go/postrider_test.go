package postrider

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// What the client sends, and what it makes of answers. Faults of the connection are in internal/faults.

type received struct {
	method, path, body string
	header             http.Header
}

type answer struct {
	status int
	body   string
	header map[string]string
}

// server answers each request with the next answer, the last one from then on, and records the requests.
type server struct {
	*httptest.Server
	mutex    sync.Mutex
	received []received
}

func serve(t *testing.T, answers ...any) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mutex.Lock()
		got := received{r.Method, r.URL.RequestURI(), string(body), r.Header}
		s.received = append(s.received, got)
		next := answers[min(len(s.received), len(answers))-1]
		s.mutex.Unlock()
		if made, ok := next.(func(received) answer); ok {
			next = made(got)
		}
		given := next.(answer)
		for name, value := range given.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(given.status)
		_, _ = io.WriteString(w, given.body)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) client(t *testing.T, options ...Option) *Client {
	t.Helper()
	client, err := New("sk_test", s.URL, options...)
	must(t, err)
	return client
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T any](t *testing.T, actual, expected T) {
	t.Helper()
	if !reflect.DeepEqual(actual, expected) {
		t.Fatalf("\n%#v, expected\n%#v", actual, expected)
	}
}

const at = "2026-01-01T00:00:00.000Z"

func ok(body string) answer { return answer{200, body, nil} }

func refuse(status int, code, more string, header ...string) answer {
	headers := map[string]string{}
	for i := 0; i+1 < len(header); i += 2 {
		headers[header[i]] = header[i+1]
	}
	body := `{"success":false,"error":{"code":%q,"statusCode":%d,"message":%q,"requestId":"r-1","suggestion":"Try"%s}}`
	return answer{status, fmt.Sprintf(body, code, status, code, more), headers}
}

var (
	ctx      = context.Background()
	email    = SendEmailInput{To: "reader@example.com", From: "a@example.com", Subject: Set("S"), Body: Set("<p>B</p>")}
	accepted = ok(`{"success":true,"data":{"emails":[],"timestamp":"` + at + `"}}`)
)

func TestARequestHasItsInputInPathQueryAndBody(t *testing.T) {
	s := serve(t, ok(`{"data":[],"cursor":null}`))
	client, err := New("sk_test", s.URL+"/mail/")
	must(t, err)
	_, _ = client.Events.Usage(ctx, EventsUsageParams{EventName: "signed up/eu?"})
	_, _ = client.Contacts.List(ctx, ContactsListParams{Limit: Set(5), Search: Set("a&b")})
	_, _ = client.Contacts.Update(ctx, ContactsUpdateParams{ID: "x", Subscribed: Set(true), ExternalID: Null[string]()})
	_, _ = client.Segments.RemoveMembers(ctx, SegmentsRemoveMembersParams{ID: "s", Emails: []string{"a@example.com"}})
	_, _ = client.Campaigns.Cancel(ctx, CampaignsCancelParams{ID: "c"})
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	_, _ = client.Sending.ListEmails(ctx, SendingListEmailsParams{From: Set(when)})
	_, _ = client.Sending.Send(ctx, email)
	got := [][3]string{}
	for _, each := range s.received {
		got = append(got, [3]string{each.method, each.path, each.body})
	}
	equal(t, got, [][3]string{
		{"GET", "/mail/events/signed%20up%2Feu%3F/usage", ""},
		{"GET", "/mail/contacts?limit=5&search=a%26b", ""},
		{"PATCH", "/mail/contacts/x", `{"externalId":null,"subscribed":true}`},
		{"DELETE", "/mail/segments/s/members", `{"emails":["a@example.com"]}`},
		{"POST", "/mail/campaigns/c/cancel", ""},
		{"GET", "/mail/emails?from=2026-01-01T00%3A00%3A00Z", ""},
		{"POST", "/mail/v1/send", `{"to":"reader@example.com","subject":"S","body":"\u003cp\u003eB\u003c/p\u003e","from":"a@example.com"}`},
	})
	equal(t, s.received[0].header.Get("Authorization"), "Bearer sk_test")
}

func TestARequestNeverAddressesAnotherPathByAnEmptyID(t *testing.T) {
	s := serve(t, ok(`{}`))
	for _, id := range []string{"", ".", ".."} {
		err := s.client(t).Contacts.Delete(ctx, ContactsDeleteParams{ID: id})
		if err == nil || !strings.Contains(err.Error(), "id must be a non-empty string") {
			t.Fatal(err)
		}
	}
	equal(t, len(s.received), 0)
}

func TestARequestHasFilesInAForm(t *testing.T) {
	s := serve(t, ok(`{"jobId":"j"}`))
	file := File{Name: "people\".csv", ContentType: "text/csv", Content: []byte("email\n")}
	_, err := s.client(t).Contacts.Import(ctx, ContactsImportInput{File: Set(file), Subscribed: Set(ContactsImportInputSubscribed("keep"))})
	must(t, err)
	body := s.received[0].body
	for _, part := range []string{
		"form-data; name=\"file\"; filename=\"people%22.csv\"\r\nContent-Type: text/csv\r\n\r\nemail\n",
		"name=\"subscribed\"\r\n\r\nkeep",
	} {
		if !strings.Contains(body, part) {
			t.Fatalf("%s\nhas no\n%s", body, part)
		}
	}
}

func TestADryRunSaysSoAndUsesNoKeyUp(t *testing.T) {
	dry := map[string]string{"Dry-Run": "true"}
	s := serve(t, answer{503, "", nil}, answer{200, accepted.body, dry}, answer{200, "{}", dry})
	_, err := s.client(t).Send(ctx, email, WithDryRun(), WithIdempotencyKey("1"))
	must(t, err)
	_, err = s.client(t).Contacts.Upsert(ctx, ContactsUpsertInput{Email: "a@example.com"}, WithDryRun())
	must(t, err)
	for _, each := range s.received {
		equal(t, []string{each.header.Get("Dry-Run"), each.header.Get("Idempotency-Key")}, []string{"true", ""})
	}
	equal(t, len(s.received), 3)
}

func TestADryRunFailsWhereTheServerHasCarriedItOut(t *testing.T) {
	s := serve(t, ok("{}"))
	_, err := s.client(t).Contacts.Upsert(ctx, ContactsUpsertInput{Email: "a@example.com"}, WithDryRun())
	if err == nil || !strings.Contains(err.Error(), "no dry runs") {
		t.Fatal(err)
	}
	equal(t, len(s.received), 1)
}

func TestMistakesAreFoundBeforeAnythingIsSent(t *testing.T) {
	s := serve(t, accepted)
	for _, given := range [][3]string{
		{"", s.URL, "apiKey must be"},
		{"whsec_1", s.URL, "apiKey must be"},
		{"sk_1\n", s.URL, "apiKey must be"},
		{"sk_1", "", "baseURL must be"},
		{"sk_1", "mail.example.com", "baseURL must be"},
	} {
		if _, err := New(given[0], given[1]); err == nil || !strings.Contains(err.Error(), given[2]) {
			t.Fatal(given, err)
		}
	}
	for _, key := range []string{"ö", "a\r\nb", strings.Repeat("x", 256)} {
		if _, err := s.client(t).Send(ctx, email, WithIdempotencyKey(key)); err == nil {
			t.Fatalf("the key %q was accepted", key)
		}
	}
	loop := map[string]any{}
	loop["loop"] = func() {}
	if _, err := s.client(t).Send(ctx, SendEmailInput{To: "a", Data: loop}); err == nil {
		t.Fatal("a function was sent")
	}
	equal(t, len(s.received), 0)
}

func TestTrackUsesThePublicEndpointWithAPublicKey(t *testing.T) {
	s := serve(t, ok(`{"success":true,"data":{"contact":"c","event":"e","timestamp":"`+at+`"}}`), ok(`{"id":"e","contactId":"c","createdAt":"`+at+`"}`))
	for _, key := range []string{"pk_1", "sk_1"} {
		client, err := New(key, s.URL)
		must(t, err)
		made, err := client.Track(ctx, EventsTrackInput{Email: "a@example.com", Event: "signed_up"})
		must(t, err)
		equal(t, *made, Tracked{Contact: "c", Event: "e", Timestamp: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	}
	equal(t, []string{s.received[0].path, s.received[1].path}, []string{"/v1/track", "/events/track"})
}

func TestAChangeWithoutAKeyIsRepeatedAfter429Only(t *testing.T) {
	s := serve(t, answer{502, "bad gateway", nil}, ok(`{}`))
	if _, err := s.client(t).Contacts.Upsert(ctx, ContactsUpsertInput{Email: "a@example.com"}); err == nil {
		t.Fatal("the failure is not returned")
	}
	equal(t, len(s.received), 1)
	s = serve(t, refuse(429, "RATE_LIMIT_EXCEEDED", "", "Retry-After", "0"), ok(`{}`))
	_, err := s.client(t).Contacts.Upsert(ctx, ContactsUpsertInput{Email: "a@example.com"})
	must(t, err)
	equal(t, len(s.received), 2)
}

func TestARetryWaitsAsLongAsTheAnswerAsksFor(t *testing.T) {
	for _, header := range [][]string{{"Retry-After", "1"}, {"RateLimit-Remaining", "0", "RateLimit-Reset", "1"}} {
		s := serve(t, refuse(429, "RATE_LIMIT_EXCEEDED", "", header...), ok(`[]`))
		begun := time.Now()
		_, _ = s.client(t).Events.Names(ctx)
		if time.Since(begun) < time.Second {
			t.Fatal(time.Since(begun))
		}
	}
	s := serve(t, refuse(429, "RATE_LIMIT_EXCEEDED", "", "Retry-After", "3600"))
	if _, err := s.client(t).Events.Names(ctx); !errors.Is(err, ErrRateLimit) {
		t.Fatal(err)
	}
	equal(t, len(s.received), 1)
	s = serve(t, refuse(429, "RATE_LIMIT_EXCEEDED", "", "Retry-After", "0"))
	_, _ = s.client(t, WithMaxRetries(3)).Events.Names(ctx)
	equal(t, len(s.received), 4)
}

func TestACallEndsWithItsContext(t *testing.T) {
	s := serve(t, refuse(429, "RATE_LIMIT_EXCEEDED", "", "Retry-After", "30"))
	why := errors.New("the page was left")
	ending, end := context.WithCancelCause(ctx)
	time.AfterFunc(100*time.Millisecond, func() { end(why) })
	if _, err := s.client(t).Events.Names(ending); !errors.Is(err, why) {
		t.Fatal(err)
	}
}

func TestAnErrorHasWhatTheEnvelopeHas(t *testing.T) {
	s := serve(t, refuse(422, "VALIDATION_ERROR", `,"errors":[{"field":"email","message":"Required","code":"required"}],"details":{"a":1}`))
	_, err := s.client(t).Contacts.Upsert(ctx, ContactsUpsertInput{})
	var refused *APIError
	if !errors.As(err, &refused) || !errors.Is(err, ErrValidation) || errors.Is(err, ErrConflict) {
		t.Fatal(err)
	}
	equal(t, *refused, APIError{
		Code: "VALIDATION_ERROR", Message: "VALIDATION_ERROR", Status: 422, RequestID: "r-1", Suggestion: "Try",
		Errors:  []FieldError{{Field: "email", Message: "Required", Code: "required"}},
		Details: map[string]json.RawMessage{"a": json.RawMessage("1")},
	})
}

func TestAnErrorIsReadFromWhateverAnswers(t *testing.T) {
	for _, each := range []struct {
		answer        answer
		code, message string
	}{
		{answer{400, `{"error":"email is required"}`, nil}, "BAD_REQUEST", "email is required"},
		{answer{400, `{"errors":[{"message":"Too deep","extensions":{"code":"QUERY_TOO_COMPLEX"}}]}`, nil}, "QUERY_TOO_COMPLEX", "Too deep"},
		{answer{403, `<html>no</html>`, nil}, "UNEXPECTED_RESPONSE", "The answer has status 403"},
		{answer{400, `[1]`, nil}, "UNEXPECTED_RESPONSE", "The answer has status 400"},
		{answer{400, `{"error":{"code":1,"errors":2}}`, nil}, "UNEXPECTED_RESPONSE", "The answer has status 400"},
		{answer{400, `{"errors":"none"}`, nil}, "UNEXPECTED_RESPONSE", "The answer has status 400"},
		{answer{400, strings.Repeat("[", 100_000), nil}, "UNEXPECTED_RESPONSE", "The answer has status 400"},
		{answer{302, ``, map[string]string{"Location": "/elsewhere"}}, "UNEXPECTED_RESPONSE", "The answer has status 302"},
	} {
		s := serve(t, each.answer)
		_, err := s.client(t).Events.Names(ctx)
		var refused *APIError
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		equal(t, []string{refused.Code, refused.Message}, []string{each.code, each.message})
		equal(t, len(s.received), 1)
	}
}

func TestAFieldOfAnotherTypeStaysZero(t *testing.T) {
	s := serve(t, ok(`{"success":true,"data":{"emails":[{"email":"e-1","to":7,"status":"NEW"}],"timestamp":"`+at+`"}}`))
	sent, err := s.client(t).Send(ctx, email)
	must(t, err)
	equal(t, []string{sent.Emails[0].Email, sent.Emails[0].To, string(sent.Emails[0].Status)}, []string{"e-1", "", "NEW"})
}

func TestAListGivesAPageOrAllItems(t *testing.T) {
	page := func(ids, cursor string) answer { return ok(`{"data":[` + ids + `],"cursor":` + cursor + `}`) }
	s := serve(t, page(`{"id":"1"},{"id":"2"}`, `"b"`), page(``, `"c"`), page(`{"id":"3"}`, `null`))
	var ids []string
	for contact, err := range s.client(t).Contacts.ListAll(ctx, ContactsListParams{Limit: Set(2)}) {
		must(t, err)
		ids = append(ids, contact.ID)
	}
	equal(t, ids, []string{"1", "2", "3"})
	var paths []string
	for _, each := range s.received {
		paths = append(paths, each.path)
	}
	equal(t, paths, []string{"/contacts?limit=2", "/contacts?cursor=b&limit=2", "/contacts?cursor=c&limit=2"})
	s = serve(t, ok(`{"data":[{"id":"1"}],"page":1,"totalPages":2}`), refuse(404, "RESOURCE_NOT_FOUND", ""))
	var last error
	count := 0
	for _, err := range s.client(t).Templates.ListAll(ctx, TemplatesListParams{}) {
		count, last = count+1, err
	}
	if count != 2 || !errors.Is(last, ErrNotFound) {
		t.Fatal(count, last)
	}
	for range s.client(t).Templates.ListAll(ctx, TemplatesListParams{}) {
		break
	}
	equal(t, s.received[1].path, "/templates?page=2")
}

func results(got received) answer {
	var input struct{ Emails []struct{ Subject string } }
	_ = json.Unmarshal([]byte(got.body), &input)
	items := []string{}
	for index, each := range input.Emails {
		item := fmt.Sprintf(`{"index":%d,"status":"ACCEPTED","emails":[{"email":%q}]}`, index, each.Subject)
		if each.Subject == "wrong" {
			item = fmt.Sprintf(`{"index":%d,"status":"REFUSED","error":{"code":"VALIDATION_ERROR","message":"m","statusCode":422}}`, index)
		}
		items = append(items, item)
	}
	return ok(fmt.Sprintf(`{"success":true,"data":{"results":[%s],"accepted":%d,"refused":0,"timestamp":%q}}`, strings.Join(items, ","), len(items), at))
}

func many(count int) []SendEmailInput {
	emails := make([]SendEmailInput, count)
	for i := range emails {
		emails[i] = email
	}
	return emails
}

func TestABatchIsSplitAndJoinedInOrderWithKeysOfItsOwn(t *testing.T) {
	s := serve(t, results)
	emails := many(1_500)
	emails[1_200].Subject = Set("wrong")
	sent, err := s.client(t).SendBatch(ctx, emails, WithIdempotencyKey("orders"))
	must(t, err)
	for place, item := range sent.Results {
		if item.Index != place || (item.Status == "REFUSED") != (place == 1_200) {
			t.Fatal(place, item)
		}
	}
	refused := sent.Results[1_200].Error
	if len(sent.Results) != 1_500 || !errors.Is(refused, ErrValidation) || refused.Code != "VALIDATION_ERROR" {
		t.Fatal(refused)
	}
	equal(t, []string{s.received[0].header.Get("Idempotency-Key"), s.received[1].header.Get("Idempotency-Key")}, []string{"orders", "orders/1"})
}

func TestABatchCountsRecipients(t *testing.T) {
	lengths := func(emails ...SendEmailInput) (all []int) {
		for _, part := range partsOf(emails) {
			all = append(all, len(part))
		}
		return all
	}
	some := SendEmailInput{To: make([]string, 400)}
	equal(t, lengths(some, some, some, email), []int{2, 2})
	equal(t, lengths(SendEmailInput{To: make([]Mailbox, 5_000)}, email), []int{1, 1})
	equal(t, lengths(), []int{0})
}

func TestAnAtomicBatchIsOneRequest(t *testing.T) {
	s := serve(t, results)
	_, err := s.client(t).SendAtomicBatch(ctx, many(1))
	must(t, err)
	if !strings.Contains(s.received[0].body, `"atomic":true`) {
		t.Fatal(s.received[0].body)
	}
	if _, err := s.client(t).SendAtomicBatch(ctx, many(1_001)); err == nil {
		t.Fatal("it was sent")
	}
}

func TestABatchThatFailsInBetweenHasTheResultsBefore(t *testing.T) {
	s := serve(t, results, refuse(402, "BILLING_LIMIT_EXCEEDED", ""))
	_, err := s.client(t).SendBatch(ctx, many(1_500))
	var partial *BatchError
	if !errors.As(err, &partial) || !errors.Is(err, ErrBillingLimit) || len(partial.Done.Results) != 1_000 {
		t.Fatal(err)
	}
	equal(t, s.received[0].header.Get("Idempotency-Key"), partial.IdempotencyKey)
}

func TestARepeatedKeyGivesTheFirstResult(t *testing.T) {
	used := func(got received) answer {
		details := `,"details":{"originalRequestAt":%q,"originalDigest":%q,"emails":[{"email":"e-1","contact":null}]}`
		return refuse(409, "IDEMPOTENCY_KEY_REUSED", fmt.Sprintf(details, at, digestOf([]byte(got.body))))
	}
	sent, err := serve(t, used).client(t).Send(ctx, email, WithIdempotencyKey("order-1"))
	must(t, err)
	if sent.Emails[0].Email != "e-1" || !sent.Repeated || sent.AnswerLost || sent.Timestamp.Year() != 2026 {
		t.Fatal(sent)
	}
	without := refuse(409, "IDEMPOTENCY_KEY_REUSED", `,"details":{"originalRequestAt":"`+at+`"}`)
	limited := refuse(429, "RATE_LIMIT_EXCEEDED", "", "Retry-After", "0")
	for _, answers := range [][]any{{without}, {limited, without}} {
		if _, err := serve(t, answers...).client(t).Send(ctx, email, WithIdempotencyKey("order-1")); !errors.Is(err, ErrConflict) {
			t.Fatal(err)
		}
	}
	sent, err = serve(t, answer{503, "", nil}, without).client(t).Send(ctx, email)
	must(t, err)
	if len(sent.Emails) != 0 || !sent.Repeated || !sent.AnswerLost {
		t.Fatal(sent)
	}
}

const (
	secret = "whsec_YSBzZWNyZXQgb2YgdGhlIGVuZHBvaW50LCAzMiBieXRl"
	other  = "whsec_YW5vdGhlciBzZWNyZXQsIGp1c3QgYXMgbG9uZyBhcyBpdA=="
)

var now = time.Unix(1_767_225_610, 0)

func signed(by, body string, when time.Time) http.Header {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(by, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "msg_1.%d.%s", when.Unix(), body)
	header := http.Header{}
	header.Set("webhook-id", "msg_1")
	header.Set("webhook-timestamp", fmt.Sprint(when.Unix()))
	header.Set("webhook-signature", "v1a,AAAA v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return header
}

func TestAWebhookIsAcceptedAsSigned(t *testing.T) {
	verifier := Verifier{Secrets: []string{other, secret}, Now: func() time.Time { return now }}
	body := `{"kind":"email.bounce","type":"email.bounce","timestamp":"` + at + `","data":{"emailId":"e-1","bounceType":"Permanent"}}`
	verified, err := verifier.Webhook([]byte(body), signed(secret, body, now))
	must(t, err)
	bounce, isBounce := verified.Event.Value.(*WebhookEmailBounce)
	if verified.ID != "msg_1" || !isBounce || bounce.Data.EmailID != "e-1" {
		t.Fatal(verified)
	}
	custom := `{"kind":"event","type":"event.signed_up","timestamp":"` + at + `","data":{"contact":null,"plan":"pro"}}`
	verified, err = verifier.Webhook([]byte(custom), signed(secret, custom, now))
	must(t, err)
	equal(t, verified.Event.Value.(*WebhookCustomEvent).Data.Extra, map[string]any{"plan": "pro"})
	newer := `{"kind":"email.teleported","data":{"to":"Mars"}}`
	verified, err = verifier.Webhook([]byte(newer), signed(secret, newer, now))
	must(t, err)
	equal(t, []any{verified.Event.Kind, verified.Event.Value, string(verified.Event.Raw)}, []any{"email.teleported", nil, newer})
}

func TestAWebhookIsRefusedOtherwise(t *testing.T) {
	body := `{"kind":"event"}`
	with := func(name, value string) http.Header {
		header := signed(secret, body, now)
		header.Set(name, value)
		return header
	}
	for _, each := range []struct {
		body    string
		header  http.Header
		secrets []string
	}{
		{body + " ", signed(secret, body, now), []string{secret}},
		{body, with("webhook-id", "msg_2"), []string{secret}},
		{body, with("webhook-timestamp", "1767225609"), []string{secret}},
		{body, with("webhook-timestamp", "now"), []string{secret}},
		{body, with("webhook-signature", ""), []string{secret}},
		{body, with("webhook-signature", "v1,AAAA"), []string{secret}},
		{body, http.Header{}, []string{secret}},
		{body, signed(secret, body, now), nil},
		{body, signed(other, body, now), []string{secret}},
		{body, signed(secret, body, now.Add(-301*time.Second)), []string{secret}},
		{body, signed(secret, body, now.Add(301*time.Second)), []string{secret}},
		{"{", signed(secret, "{", now), []string{secret}},
	} {
		verifier := Verifier{Secrets: each.secrets, Now: func() time.Time { return now }}
		if _, err := verifier.Webhook([]byte(each.body), each.header); !errors.Is(err, ErrVerification) {
			t.Fatal(each, err)
		}
	}
	for _, none := range []string{"whsec_", "whsec_?"} {
		if _, err := VerifyWebhook(nil, signed(secret, "", now), none); err == nil || errors.Is(err, ErrVerification) {
			t.Fatal(err)
		}
	}
}

func TestAStepIsAcceptedAsSignedAndRefusedOtherwise(t *testing.T) {
	sign := func(body, by string, when time.Time) http.Header {
		mac := hmac.New(sha256.New, []byte(by))
		fmt.Fprintf(mac, "%d.%s", when.Unix(), body)
		header := http.Header{}
		header.Set("X-Postrider-Delivery", "d-1")
		header.Set("X-Postrider-Signature", fmt.Sprintf("t=%d,v1=%s", when.Unix(), hex.EncodeToString(mac.Sum(nil))))
		return header
	}
	verifier := Verifier{Secrets: []string{"old", "s3cret"}, Now: func() time.Time { return now }}
	for _, body := range []string{`{"a":1}`, ""} {
		verified, err := verifier.Step([]byte(body), sign(body, "s3cret", now))
		must(t, err)
		equal(t, []string{verified.Delivery, string(verified.Body)}, []string{"d-1", body})
	}
	malformed := sign("", "s3cret", now)
	malformed.Set("X-Postrider-Signature", "t=1,v1=00")
	for _, header := range []http.Header{sign("x", "s3cret", now), sign("", "other", now), sign("", "s3cret", now.Add(-301*time.Second)), malformed, {}} {
		if _, err := verifier.Step(nil, header); !errors.Is(err, ErrVerification) {
			t.Fatal(err)
		}
	}
	if _, err := VerifyStep(nil, sign("", "", time.Now()), ""); err == nil {
		t.Fatal("an empty secret was accepted")
	}
}
