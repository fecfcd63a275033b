// Sends, reads a list and an error, and reads all kinds of webhooks, through the client of openapi-generator for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	postrider "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	base, key, prefix, webhooks := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	configuration := postrider.NewConfiguration()
	configuration.Servers = postrider.ServerConfigurations{{URL: base}}
	client := postrider.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), postrider.ContextAccessToken, key)

	send := func(to postrider.Recipients, attachments ...postrider.Attachment) int {
		from := "hello@mail.example.com"
		input := postrider.NewSendEmailInput(to)
		input.SetSubject("Hello")
		input.SetBody("<p>Hello</p>")
		input.SetFrom(postrider.StringAsSendEmailInputFrom(&from))
		if len(attachments) > 0 {
			input.SetAttachments(attachments)
		}
		sent, _, err := client.SendingAPI.SendingSend(ctx).SendEmailInput(*input).Execute()
		check(err)
		return len(sent.Data.Emails)
	}
	first := prefix + "-1@example.com"
	attachment := postrider.NewAttachment("a.txt", "SGVsbG8=")
	attachment.SetContentType("text/plain")
	one := send(postrider.StringAsRecipients(&first), *attachment)
	others := []string{prefix + "-2@example.com", prefix + "-3@example.com"}
	two := send(postrider.ArrayOfStringAsRecipients(&others))

	list, _, err := client.ContactsAPI.ContactsList(ctx).Search(prefix).Execute()
	check(err)
	found := []string{}
	for _, contact := range list.Data {
		found = append(found, contact.Email)
	}

	_, _, err = client.ContactsAPI.ContactsGet(ctx, "01a1fbbb-6049-7208-955a-65aac1f35b72").Execute()
	var failure *postrider.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(err)
	}
	refused, ok := failure.Model().(postrider.ErrorEnvelope)
	if !ok {
		panic(fmt.Sprintf("%T", failure.Model()))
	}

	text, err := os.ReadFile(webhooks)
	check(err)
	var events []postrider.WebhookEvent
	check(json.Unmarshal(text, &events))
	kinds := []string{}
	for _, event := range events {
		var read struct{ Kind string }
		written, err := json.Marshal(event.GetActualInstance())
		check(err)
		check(json.Unmarshal(written, &read))
		kinds = append(kinds, read.Kind)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"withAttachment": one, "toList": two, "found": found, "refused": refused.Error.Code, "kinds": kinds,
	}))
}
