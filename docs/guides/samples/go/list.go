package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
)

// get reads one record or page.
func get(path string, answer any) error {
	request, err := http.NewRequest("GET", os.Getenv("POSTRIDER_URL")+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTRIDER_API_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

func main() {
	query := url.Values{"subscribed": {"false"}, "limit": {"100"}}
	for {
		var page struct {
			Data   []struct{ Email string }
			Cursor *string
		}
		if err := get("/contacts?"+query.Encode(), &page); err != nil {
			log.Fatal(err)
		}
		for _, contact := range page.Data {
			fmt.Println(contact.Email)
		}
		if page.Cursor == nil {
			return
		}
		query.Set("cursor", *page.Cursor)
	}
}
