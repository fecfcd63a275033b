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
	externalID := "user-" + to // the id of this person in your own database

	var contact struct {
		Email      string
		Subscribed bool
		Data       map[string]any
		Meta       struct{ IsNew bool } `json:"_meta"`
	}
	err := call("POST", "/contacts", map[string]any{
		"email":      to,
		"externalId": externalID,
		"data":       map[string]any{"plan": "free"},
	}, &contact)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("new:", contact.Meta.IsNew)

	path := "/contacts/" + url.PathEscape("ext:"+externalID)
	if err := call("PATCH", path, map[string]any{"data": map[string]any{"plan": "pro"}}, nil); err != nil {
		log.Fatal(err)
	}

	if err := call("GET", path, nil, &contact); err != nil {
		log.Fatal(err)
	}
	fmt.Println(contact.Email, contact.Data["plan"], contact.Subscribed)
}
