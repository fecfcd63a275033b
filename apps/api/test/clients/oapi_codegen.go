// Sends, reads a list and an error, and reads all kinds of webhooks, through the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"

	"example.com/shop/postrider"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	base, key, prefix, webhooks := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := postrider.NewClientWithResponses(base, postrider.WithRequestEditorFn(authorize))
	check(err)
	ctx := context.Background()

	send := func(to postrider.Recipients, attachments *[]postrider.Attachment) int {
		subject, body := "Hello", "<p>Hello</p>"
		from := &postrider.SendEmailInput_From{}
		check(from.FromMailbox(postrider.Mailbox{Email: "hello@mail.example.com"}))
		input := postrider.SendEmailInput{To: to, Subject: &subject, Body: &body, From: from, Attachments: attachments}
		sent, err := client.SendingSendWithResponse(ctx, nil, input)
		check(err)
		if sent.JSON200 == nil {
			panic(string(sent.Body))
		}
		return len(sent.JSON200.Data.Emails)
	}
	var to postrider.Recipients
	check(to.FromRecipients0(prefix + "-1@example.com"))
	textPlain := "text/plain"
	one := send(to, &[]postrider.Attachment{{Filename: "a.txt", Content: []byte("Hello"), ContentType: &textPlain}})
	check(to.FromRecipients2([]string{prefix + "-2@example.com", prefix + "-3@example.com"}))
	two := send(to, nil)

	list, err := client.ContactsListWithResponse(ctx, &postrider.ContactsListParams{Search: &prefix})
	check(err)
	found := []string{}
	for _, contact := range list.JSON200.Data {
		found = append(found, string(contact.Email))
	}

	id := "01a1fbbb-6049-7208-955a-65aac1f35b72"
	refused, err := client.ContactsGetWithResponse(ctx, id, nil)
	check(err)

	text, err := os.ReadFile(webhooks)
	check(err)
	var events []postrider.WebhookEvent
	check(json.Unmarshal(text, &events))
	kinds := []string{}
	for _, event := range events {
		value, err := event.ValueByDiscriminator()
		check(err)
		kinds = append(kinds, fmt.Sprint(reflect.ValueOf(value).FieldByName("Kind")))
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"withAttachment": one, "toList": two, "found": found, "refused": refused.JSON404.Error.Code, "kinds": kinds,
	}))
}
