// Sends, reads a list and an error, tracks, iterates, and verifies webhooks of all kinds and a step, through the SDK for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"

	"github.com/postrider/postrider-go"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

type signed struct {
	Body, Secret string
	Headers      map[string]string
}

func (s signed) header() http.Header {
	header := http.Header{}
	for name, value := range s.Headers {
		header.Set(name, value)
	}
	return header
}

func read(name string, into any) {
	text, err := os.ReadFile(name)
	check(err)
	check(json.Unmarshal(text, into))
}

func main() {
	base, key, prefix, webhooks, step := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	ctx := context.Background()
	client, err := postrider.New(key, base)
	check(err)
	address := func(n int) string { return fmt.Sprintf("%s-%d@example.com", prefix, n) }

	send := func(to any, attachments ...postrider.Attachment) int {
		email := postrider.SendEmailInput{
			To: to, From: postrider.Mailbox{Email: "hello@mail.example.com"},
			Subject: postrider.Set("Hello"), Body: postrider.Set("<p>Hello</p>"), Attachments: attachments,
		}
		withKey := postrider.WithIdempotencyKey(fmt.Sprint(to))
		first, err := client.Send(ctx, email, withKey)
		check(err)
		again, err := client.Send(ctx, email, withKey)
		check(err)
		if first.Repeated || !again.Repeated || again.AnswerLost || first.Emails[0].Email != again.Emails[0].Email {
			panic(fmt.Sprint(first, again))
		}
		return len(first.Emails)
	}
	one := send(address(1), postrider.Attachment{Filename: "a.txt", Content: "SGVsbG8="})
	two := send([]string{address(2), address(3)})

	list, err := client.Contacts.List(ctx, postrider.ContactsListParams{Search: postrider.Set(prefix)})
	check(err)
	found, iterated := []string{}, []string{}
	for _, contact := range list.Data {
		found = append(found, contact.Email)
	}
	search := postrider.ContactsListParams{
		Search: postrider.Set(prefix), Limit: postrider.Set(2),
		Sort: postrider.Set(postrider.ContactSort("email")), Dir: postrider.Set(postrider.SortDirection("asc")),
	}
	for contact, err := range client.Contacts.ListAll(ctx, search) {
		check(err)
		iterated = append(iterated, contact.Email)
	}
	_, err = client.Contacts.Get(ctx, postrider.ContactsGetParams{ID: "01a1fbbb-6049-7208-955a-65aac1f35b72"})
	var refused *postrider.APIError
	if !errors.Is(err, postrider.ErrNotFound) || !errors.As(err, &refused) {
		panic(err)
	}
	tracked, err := client.Track(ctx, postrider.EventsTrackInput{Email: address(1), Event: prefix + "-event"})
	check(err)
	events, err := client.Events.List(ctx, postrider.EventsListParams{EventName: postrider.Set(prefix + "-event")})
	check(err)
	if tracked.Event != events.Events[0].ID {
		panic(tracked)
	}
	csv := postrider.File{Name: "contacts.csv", ContentType: "text/csv", Content: []byte("email\n" + address(4) + "\n")}
	imported, err := client.Contacts.Import(ctx, postrider.ContactsImportInput{File: postrider.Set(csv)})
	check(err)
	segment, err := client.Segments.Create(ctx, postrider.SegmentsCreateInput{Name: prefix, Type: postrider.Set(postrider.SegmentsCreateInputType("STATIC"))})
	check(err)
	emails := []string{address(2)}
	_, err = client.Segments.AddMembers(ctx, postrider.SegmentsAddMembersParams{ID: segment.ID, Emails: emails})
	check(err)
	removed, err := client.Segments.RemoveMembers(ctx, postrider.SegmentsRemoveMembersParams{ID: segment.ID, Emails: emails})
	check(err)

	var all []signed
	read(webhooks, &all)
	kinds := []string{}
	for _, each := range all {
		verified, err := postrider.VerifyWebhook([]byte(each.Body), each.header(), each.Secret)
		check(err)
		kind := reflect.ValueOf(verified.Event.Value).Elem().FieldByName("Kind")
		kinds = append(kinds, kind.String())
	}
	var request signed
	read(step, &request)
	verified, err := postrider.VerifyStep([]byte(request.Body), request.header(), request.Secret)
	check(err)

	importedAs := ""
	if imported.JobID != "" {
		importedAs = "string"
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"withAttachment": one, "toList": two, "found": found, "iterated": iterated, "refused": refused.Code,
		"requestId": refused.RequestID != "", "kinds": kinds, "step": verified.Body, "imported": importedAs, "removed": removed.Removed,
	}))
}
