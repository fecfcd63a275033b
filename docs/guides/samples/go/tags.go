package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
)

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
	to := os.Getenv("TO")
	err := call("POST", "/v1/send", map[string]any{
		"to":       to,
		"from":     "Demo <hello@mail.demo.example>",
		"subject":  "Receipt for order 1001",
		"body":     "<p>Thank you for your order.</p>",
		"tags":     []string{"receipt"},
		"metadata": map[string]any{"orderId": 1001},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}

	query := url.Values{"recipient": {to}, "tag": {"receipt"}, "metadata": {"orderId:1001"}}
	var page struct {
		Data []struct {
			ID       string
			Tags     []string
			Metadata map[string]string
		}
	}
	if err := call("GET", "/emails?"+query.Encode(), nil, &page); err != nil {
		log.Fatal(err)
	}
	for _, email := range page.Data {
		fmt.Println(email.ID, email.Tags, email.Metadata)
	}
}
