package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

type sent struct {
	Data struct {
		Emails []struct{ Email, To, Status string }
	}
}

func call(method, path string, body, answer any) error {
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, os.Getenv("POSTRIDER_URL")+path, &content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTRIDER_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

func main() {
	var reply sent
	err := call("POST", "/v1/send", map[string]any{
		"to":          os.Getenv("TO"),
		"from":        "Demo <hello@mail.demo.example>",
		"subject":     "Your appointment is tomorrow",
		"body":        "<p>See you at 10:00.</p>",
		"scheduledAt": time.Now().Add(time.Hour),
	}, &reply)
	if err != nil {
		log.Fatal(err)
	}
	path := "/emails/" + reply.Data.Emails[0].Email

	var email struct{ Status, ScheduledAt, Reason string }
	if err := call("PATCH", path, map[string]any{"scheduledAt": time.Now().Add(2 * time.Hour)}, &email); err != nil {
		log.Fatal(err)
	}
	fmt.Println(email.Status, email.ScheduledAt)

	if err := call("POST", path+"/cancel", nil, &email); err != nil {
		log.Fatal(err)
	}
	fmt.Println(email.Status, email.Reason)
}
