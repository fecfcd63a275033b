package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
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
	receipt := map[string]any{
		"name":    "Receipt",
		"type":    "TRANSACTIONAL",
		"from":    "Demo <hello@mail.demo.example>",
		"subject": "Receipt for order {{order}}",
		"body":    "<p>Hello {{name ?? there}},</p><p>You paid {{total}} for order {{order}}.</p>",
	}
	err := call("PATCH", "/templates/receipt", receipt, nil)
	if err == nil {
		fmt.Println("updated")
		return
	}
	if !strings.Contains(err.Error(), "TEMPLATE_NOT_FOUND") {
		log.Fatal(err)
	}
	receipt["alias"] = "receipt"
	if err := call("POST", "/templates", receipt, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println("created")
}
