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
	// For a file on the disk: os.ReadFile("orders.csv")
	content := []byte("order,total\n1001,12.00\n")

	var reply sent
	err := call("POST", "/v1/send", map[string]any{
		"to":      os.Getenv("TO"),
		"from":    "Demo <hello@mail.demo.example>",
		"subject": "Your orders of this month",
		"body":    "<p>The list is attached.</p>",
		// encoding/json writes []byte as base64, which is what the API takes.
		"attachments": []map[string]any{{"filename": "orders.csv", "content": content}},
	}, &reply)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Data.Emails[0].Email)
}
