package record

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"
)

// An object is a JSON object whose members have an order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.name), ':')
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(b, value...)
	}
	return append(b, '}'), nil
}

// encode returns the line of an object. A value that JSON has no form for makes it a line with the error.
func encode(o object) []byte {
	b, err := o.MarshalJSON()
	if err != nil {
		b, _ = object{o[0], {"error", err.Error()}}.MarshalJSON()
	}
	return append(b, '\n')
}

// appendMember appends a member with a text, in which what is not UTF-8 is replaced.
func appendMember(b []byte, name, text string) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return appendString(b, text)
}

// appendName appends a member with a name of a file. If that is not UTF-8, another member has all of its bytes.
func appendName(b []byte, member, name string) []byte {
	b = appendMember(b, member, name)
	if !utf8.ValidString(name) {
		b = append(b, ',', '"')
		b = append(b, member...)
		b = append(b, `_base64":"`...)
		b = base64.StdEncoding.AppendEncode(b, []byte(name))
		b = append(b, '"')
	}
	return b
}

// appendString appends a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		b = append(b, s[start:i]...)
		switch {
		case c >= utf8.RuneSelf:
			b = append(b, "\ufffd"...)
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}
