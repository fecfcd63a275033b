package postrider

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Field is a value that may be left out: the zero Field is. Set and Null make the others.
type Field[T any] struct {
	value T
	state uint8
}

const (
	absent uint8 = iota
	null
	given
)

// Set is a field with this value.
func Set[T any](value T) Field[T] { return Field[T]{value: value, state: given} }

// Null is a field that is null, which clears what is stored.
func Null[T any]() Field[T] { return Field[T]{state: null} }

// Get returns the value, and whether there is one.
func (f Field[T]) Get() (T, bool) { return f.value, f.state == given }

// Or returns the value, or another one where there is none.
func (f Field[T]) Or(other T) T {
	if f.state == given {
		return f.value
	}
	return other
}

// IsZero tells encoding/json to leave it out.
func (f Field[T]) IsZero() bool { return f.state == absent }

// MarshalJSON is the JSON of the value, or null.
func (f Field[T]) MarshalJSON() ([]byte, error) {
	if f.state != given {
		return []byte("null"), nil
	}
	return json.Marshal(f.value)
}

// UnmarshalJSON reads the value, or null.
func (f *Field[T]) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*f = Null[T]()
		return nil
	}
	var value T
	if err := decode(data, &value); err != nil {
		return err
	}
	*f = Set(value)
	return nil
}

// File is a file of a form.
type File struct {
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Content     []byte `json:"content"`
}

// decode reads JSON. A field whose type is another one in a newer API stays zero: a call that has happened must not look like one that failed.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) && wrongType.Field != "" {
		return nil
	}
	return err
}

// extraOf is what an object has besides the named keys.
func extraOf(data []byte, names ...string) (map[string]any, error) {
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(all, name)
	}
	return all, nil
}

func withExtra(fields any, extra map[string]any) ([]byte, error) {
	data, err := json.Marshal(fields)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	all := map[string]any{}
	for name, value := range extra {
		all[name] = value
	}
	var known map[string]json.RawMessage
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, err
	}
	for name, value := range known {
		all[name] = value
	}
	return json.Marshal(all)
}
