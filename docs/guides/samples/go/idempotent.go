package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

type emails []struct{ Email, To, Status string }

// sendOnce returns the emails of this request, whether it is accepted now or was accepted before.
func sendOnce(email map[string]any, key string) (emails, error) {
	encoded, err := json.Marshal(email)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest("POST", os.Getenv("POSTRIDER_URL")+"/v1/send", bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTRIDER_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Data  struct{ Emails emails }
		Error struct {
			Code    string
			Details struct{ Emails emails }
		}
	}
	if err := json.Unmarshal(text, &reply); err != nil {
		return nil, err
	}
	if reply.Error.Code == "IDEMPOTENCY_KEY_REUSED" {
		return reply.Error.Details.Emails, nil
	}
	if response.StatusCode >= 400 {
		return nil, fmt.Errorf("%s: %s", response.Status, text)
	}
	return reply.Data.Emails, nil
}

func main() {
	to := os.Getenv("TO")
	welcome := map[string]any{
		"to":      to,
		"from":    "Demo <hello@mail.demo.example>",
		"subject": "Welcome",
		"body":    "<p>Good to have you here.</p>",
	}
	first, err := sendOnce(welcome, "welcome/"+to)
	if err != nil {
		log.Fatal(err)
	}
	// The job runs again, perhaps on another machine: nothing is sent, and the result is the first one.
	second, err := sendOnce(welcome, "welcome/"+to)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(first[0].Email, second[0].Email)
}
