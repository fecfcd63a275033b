// Faults goes through the cases of the fault server with the Go module, and prints the outcomes of each.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/postrider/postrider-go"
)

type call struct {
	Key, Subject string
	Items        int
}

type faultCase struct {
	Operation  string
	Calls      []call
	AtOnce     bool
	TimeoutMs  int
	MaxRetries *int
}

type outcome struct {
	Emails     int      `json:"emails"`
	IDs        []string `json:"ids"`
	Repeated   bool     `json:"repeated"`
	AnswerLost bool     `json:"answerLost"`
	Error      string   `json:"error,omitempty"`
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	url, program := os.Args[1], os.Args[2]
	answer, err := http.Get(url + "/cases")
	check(err)
	var cases []faultCase
	check(json.NewDecoder(answer.Body).Decode(&cases))
	check(answer.Body.Close())
	outcomes := make([][]outcome, len(cases))
	var all sync.WaitGroup
	for number, each := range cases {
		all.Add(1)
		go func() {
			defer all.Done()
			outcomes[number] = goThrough(fmt.Sprintf("%s/%s/%d", url, program, number), each)
		}()
	}
	all.Wait()
	check(json.NewEncoder(os.Stdout).Encode(outcomes))
}

func goThrough(address string, script faultCase) []outcome {
	options := []postrider.Option{postrider.WithHTTPClient(&http.Client{Transport: &http.Transport{}})}
	if script.TimeoutMs > 0 {
		options = append(options, postrider.WithTimeout(time.Duration(script.TimeoutMs)*time.Millisecond))
	}
	if script.MaxRetries != nil {
		options = append(options, postrider.WithMaxRetries(*script.MaxRetries))
	}
	client, err := postrider.New("sk_test", address, options...)
	check(err)
	done := make([]outcome, len(script.Calls))
	var all sync.WaitGroup
	for place, each := range script.Calls {
		all.Add(1)
		work := func() {
			defer all.Done()
			done[place] = perform(client, script.Operation, each)
		}
		if script.AtOnce {
			go work()
		} else {
			work()
		}
	}
	all.Wait()
	return done
}

func perform(client *postrider.Client, operation string, each call) outcome {
	ctx := context.Background()
	var options []postrider.Option
	if each.Key != "" {
		options = append(options, postrider.WithIdempotencyKey(each.Key))
	}
	if each.Subject == "" {
		each.Subject = "Hello"
	}
	email := func(subject string) postrider.SendEmailInput {
		return postrider.SendEmailInput{
			To: "reader@example.com", From: "hello@example.com",
			Subject: postrider.Set(subject), Body: postrider.Set("<p>Hello</p>"),
		}
	}
	switch operation {
	case "track":
		made, err := client.Track(ctx, postrider.EventsTrackInput{Email: "reader@example.com", Event: "signed_up"}, options...)
		if err != nil {
			return failed(err)
		}
		ids := []string{}
		if made.Event != "" {
			ids = append(ids, made.Event)
		}
		return outcome{len(ids), ids, made.Repeated, made.AnswerLost, ""}
	case "send":
		sent, err := client.Send(ctx, email(each.Subject), options...)
		if err != nil {
			return failed(err)
		}
		ids := idsOf(sent.Emails)
		return outcome{len(ids), ids, sent.Repeated, sent.AnswerLost, ""}
	}
	var emails []postrider.SendEmailInput
	for number := range each.Items {
		emails = append(emails, email(fmt.Sprintf("%s %d", each.Subject, number)))
	}
	sent, err := client.SendBatch(ctx, emails, options...)
	if err != nil {
		return failed(err)
	}
	ids := []string{}
	for place, item := range sent.Results {
		if item.Index != place {
			panic(fmt.Sprintf("item %d has the index %d", place, item.Index))
		}
		ids = append(ids, idsOf(item.Emails)...)
	}
	return outcome{len(ids), ids, sent.Repeated, sent.AnswerLost, ""}
}

func idsOf(emails []postrider.SentEmail) []string {
	ids := []string{}
	for _, each := range emails {
		ids = append(ids, each.Email)
	}
	return ids
}

func failed(err error) outcome {
	var refused *postrider.APIError
	var lost *postrider.ConnectionError
	switch {
	case errors.As(err, &refused):
		return outcome{IDs: []string{}, Error: refused.Code}
	case errors.As(err, &lost) && lost.Timeout:
		return outcome{IDs: []string{}, Error: "TIMEOUT"}
	case errors.As(err, &lost):
		return outcome{IDs: []string{}, Error: "CONNECTION"}
	}
	panic(err)
}
