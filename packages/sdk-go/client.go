// Package postrider is the typed client of the Postrider API. It uses the standard library only.
package postrider

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Client is a client of one project. Every operation that a key may call is a method, by group and name as the API names it:
// client.Contacts.List. It may be used by several goroutines.
type Client struct {
	Services
	connection *connection
}

// connection is where requests go, and how.
type connection struct {
	apiKey   string
	baseURL  string
	http     *http.Client
	defaults settings
}

// settings of a call.
type settings struct {
	http           *http.Client
	timeout        time.Duration
	maxRetries     int
	maxRetryDelay  time.Duration
	idempotencyKey string
	dryRun         bool
}

// Option is an option of a call, or of all calls of a client.
type Option func(*settings)

// WithTimeout is how long to wait for an answer, for each attempt. Default 30 seconds.
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithMaxRetries is how often a request is repeated at most, when that is safe. Default 2.
func WithMaxRetries(times int) Option { return func(s *settings) { s.maxRetries = times } }

// WithMaxRetryDelay is the longest wait before a retry. An answer that asks for more is returned. Default a minute.
func WithMaxRetryDelay(delay time.Duration) Option {
	return func(s *settings) { s.maxRetryDelay = delay }
}

// WithIdempotencyKey makes the request safe to repeat: 1 to 255 printable ASCII characters. Accepted by sends and by Track.
func WithIdempotencyKey(key string) Option { return func(s *settings) { s.idempotencyKey = key } }

// WithDryRun carries the call out and then undoes it: the same checks and the same answer, and nothing happens. It uses no key up.
func WithDryRun() Option { return func(s *settings) { s.dryRun = true } }

// WithHTTPClient sends the requests by another client than one of its own. Option of New.
func WithHTTPClient(client *http.Client) Option { return func(s *settings) { s.http = client } }

var apiKeys = regexp.MustCompile(`^[sp]k_[!-~]+$`)

// New makes a client; it sends nothing. The key is a secret one (sk_…), or a public one (pk_…), which may only track. The address is that of the
// API, such as https://mail.example.com.
func New(apiKey, baseURL string, options ...Option) (*Client, error) {
	if !apiKeys.MatchString(apiKey) {
		return nil, misuse("apiKey must be a key of your project: sk_…, or pk_… to track only")
	}
	address, err := url.Parse(baseURL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil, misuse("baseURL must be the address of the API, such as https://mail.example.com")
	}
	defaults := settings{timeout: 30 * time.Second, maxRetries: 2, maxRetryDelay: time.Minute}
	for _, option := range options {
		option(&defaults)
	}
	if defaults.idempotencyKey != "" {
		return nil, misuse("an idempotency key is one of a call, not of a client")
	}
	client := defaults.http
	if client == nil {
		// A redirect could carry the key elsewhere, or turn a POST into a GET.
		client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	address.RawQuery, address.Fragment = "", ""
	c := &connection{apiKey: apiKey, baseURL: strings.TrimRight(address.String(), "/"), http: client, defaults: defaults}
	return &Client{Services: servicesOf(c), connection: c}, nil
}

func (c *connection) isPublic() bool { return strings.HasPrefix(c.apiKey, "pk_") }

func (c *connection) with(options []Option) settings {
	all := c.defaults
	for _, option := range options {
		option(&all)
	}
	return all
}
