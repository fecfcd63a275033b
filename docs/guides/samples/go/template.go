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

// once is a value for this email alone; plain values are kept as data of the contact.
func once(value string) map[string]any {
	return map[string]any{"value": value, "persistent": false}
}

func main() {
	var reply sent
	err := call("POST", "/v1/send", map[string]any{
		"to":              map[string]string{"email": os.Getenv("TO"), "name": "Ann"},
		"template":        "receipt",
		"strictVariables": true,
		"data":            map[string]any{"order": once("1001"), "total": once("12.00 EUR")},
	}, &reply)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Data.Emails[0].Email)
}
