package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

// Refusal is what the API says about a request that it did not accept.
type Refusal struct {
	Code, Message, Suggestion, RequestID string
	StatusCode                           int
	Errors                               []struct{ Field, Code, Message string }
}

func (refusal *Refusal) Error() string {
	return fmt.Sprintf("%d %s: %s", refusal.StatusCode, refusal.Code, refusal.Message)
}

var client = http.Client{Timeout: 30 * time.Second}

// send retries what may succeed, with one key, so that a lost answer never sends twice.
func send(email map[string]any) error {
	encoded, err := json.Marshal(email)
	if err != nil {
		return err
	}
	key := rand.Text()
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequest("POST", os.Getenv("POSTRIDER_URL")+"/v1/send", bytes.NewReader(encoded))
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTRIDER_API_KEY"))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
		pause := time.Second << attempt
		response, err := client.Do(request)
		if err == nil {
			var reply struct{ Error *Refusal }
			err = json.NewDecoder(response.Body).Decode(&reply)
			response.Body.Close()
			switch response.StatusCode {
			case 429, 500, 502, 503, 504:
				if seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")); seconds > 0 {
					pause = time.Duration(seconds) * time.Second
				}
				err = fmt.Errorf("the API answered %s", response.Status)
			default:
				if reply.Error != nil {
					return reply.Error
				}
				return err
			}
		}
		if attempt == 4 {
			return err
		}
		time.Sleep(pause)
	}
}

func main() {
	err := send(map[string]any{
		"to":      "nobody",
		"from":    "Demo <hello@mail.demo.example>",
		"subject": "Hello",
		"body":    "<p>Hello</p>",
	})
	var refusal *Refusal
	switch {
	case err == nil:
	case !errors.As(err, &refusal):
		log.Fatal(err)
	case refusal.Code == "VALIDATION_ERROR":
		for _, problem := range refusal.Errors {
			fmt.Println(refusal.Code, problem.Field, problem.Code, problem.Message)
		}
	case refusal.Code == "IDEMPOTENCY_KEY_REUSED":
		fmt.Println("accepted by an earlier attempt")
	default:
		fmt.Println(refusal.Code, refusal.Message, refusal.Suggestion, refusal.RequestID)
	}
}
