package postrider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strings"
)

// operation is where an operation of the API is, and what a call must know of it.
type operation struct {
	method string
	// Path with parameters as {id}.
	path string
	// Whether the input is sent as the body, except for its parameters of path and query.
	body  bool
	query []string
	// The body is a form with these files.
	form  bool
	files []string
	// The answer is {success, data}, of which callers get data.
	envelope bool
	// The answer is no JSON: callers get its bytes.
	raw bool
}

type request struct {
	method, url, contentType string
	body                     []byte
}

// requestOf puts parameters from the input into path and query, and the rest into the body.
func requestOf(c *connection, op operation, input any) (request, error) {
	made := request{method: op.method}
	if input == nil {
		input = struct{}{}
	}
	data, err := json.Marshal(input)
	if err != nil {
		return made, misuse("the input is no JSON: %v", err)
	}
	if op.body && !op.form && len(op.query) == 0 && !strings.Contains(op.path, "{") {
		made.url, made.contentType, made.body = c.baseURL+op.path, "application/json", data
		return made, nil
	}
	var rest map[string]json.RawMessage
	if err := json.Unmarshal(data, &rest); err != nil {
		return made, misuse("the input is no object: %v", err)
	}
	path, err := pathOf(op.path, rest)
	if err != nil {
		return made, err
	}
	query := url.Values{}
	for _, name := range namesInQuery(op, rest) {
		if value, ok := rest[name]; ok && string(value) != "null" {
			query.Set(name, textOf(value))
		}
		delete(rest, name)
	}
	made.url = c.baseURL + path
	if len(query) > 0 {
		made.url += "?" + query.Encode()
	}
	switch {
	case op.body && op.form:
		made.contentType, made.body, err = formOf(op, rest)
	case op.body:
		made.contentType = "application/json"
		made.body, err = json.Marshal(rest)
	}
	return made, err
}

func pathOf(path string, rest map[string]json.RawMessage) (string, error) {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		// Some end in a suffix: {id}.csv
		open, shut := strings.Index(segment, "{"), strings.Index(segment, "}")
		if open < 0 || shut < open {
			continue
		}
		name := segment[open+1 : shut]
		var value string
		// An empty segment or a dot would address another path.
		if json.Unmarshal(rest[name], &value) != nil || value == "" || value == "." || value == ".." {
			return "", misuse("%s must be a non-empty string", name)
		}
		delete(rest, name)
		segments[i] = segment[:open] + url.PathEscape(value) + segment[shut+1:]
	}
	return strings.Join(segments, "/"), nil
}

func namesInQuery(op operation, rest map[string]json.RawMessage) []string {
	if op.body {
		return op.query
	}
	names := make([]string, 0, len(rest))
	for name := range rest {
		names = append(names, name)
	}
	return names
}

// textOf is a string without its quotation marks, and anything else as JSON.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func formOf(op operation, rest map[string]json.RawMessage) (contentType string, body []byte, err error) {
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	for _, name := range op.files {
		value, ok := rest[name]
		delete(rest, name)
		var file File
		if !ok || json.Unmarshal(value, &file) != nil || (file.Name == "" && len(file.Content) == 0) {
			continue
		}
		if err := writeFile(form, name, file); err != nil {
			return "", nil, err
		}
	}
	for name, value := range rest {
		if string(value) == "null" {
			continue
		}
		if err := form.WriteField(name, textOf(value)); err != nil {
			return "", nil, err
		}
	}
	err = form.Close()
	return form.FormDataContentType(), buffer.Bytes(), err
}

func writeFile(form *multipart.Writer, name string, file File) error {
	if file.ContentType == "" {
		file.ContentType = "application/octet-stream"
	}
	if file.Name == "" {
		file.Name = name
	}
	quote := strings.NewReplacer("\\", "\\\\", `"`, "%22", "\r", "%0D", "\n", "%0A")
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s"`, quote.Replace(name), quote.Replace(file.Name)))
	header.Set("Content-Type", quote.Replace(file.ContentType))
	part, err := form.CreatePart(header)
	if err != nil {
		return err
	}
	_, err = part.Write(file.Content)
	return err
}
