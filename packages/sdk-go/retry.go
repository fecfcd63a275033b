package postrider

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// isRetriable says whether a refused request may be sent again. The API stored nothing of a request that it refused with 429, so any may be
// repeated; after a failure only one that changes nothing twice.
func isRetriable(status int, repeatable bool) bool {
	switch status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return repeatable
	}
	return false
}

// retryDelay is how long to wait before the next attempt: what the answer asks for, else a random time that doubles. The first attempt is 0.
func retryDelay(attempt int, header http.Header) time.Duration {
	asked := header.Get("Retry-After")
	if asked == "" && header.Get("RateLimit-Remaining") == "0" {
		asked = header.Get("RateLimit-Reset")
	}
	// RFC 9110, 10.2.3: seconds, or a date.
	if seconds, err := strconv.ParseFloat(asked, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(asked); err == nil && time.Until(at) >= 0 {
		return time.Until(at)
	}
	most := 500 * time.Millisecond << min(attempt, 4)
	return time.Duration(rand.Int64N(int64(most)))
}

func wait(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
