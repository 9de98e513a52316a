package address

import (
	"errors"
	"strings"
	"testing"

	"psync/internal/queue"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // "": an error
	}{
		{"nats://mover1/home", "nats://mover1:4222/home"},
		{"nats://mover1:5222/home", "nats://mover1:5222/home"},
		{"tls://mover1.example.org/a-b_C9", "tls://mover1.example.org:4222/a-b_C9"},
		{"nats://10.0.0.1/home", "nats://10.0.0.1:4222/home"},
		{"nats://[::1]:1/home", "nats://[::1]:1/home"},
		{"nats://[fe80::1%25eth0]/home", "nats://[fe80::1%eth0]:4222/home"},
		{"NATS://mover1/home", "nats://mover1:4222/home"},
		{"", ""},
		{"mover1/home", ""},
		{"mover1:4222/home", ""},
		{"nats:mover1/home", ""},
		{"nats://mover1", ""},
		{"nats://mover1/", ""},
		{"nats:///home", ""},
		{"nats://:4222/home", ""},
		{"nats://mover1/home/", ""},
		{"nats://mover1/a/b", ""},
		{"nats://mover1/a.b", ""},
		{"nats://mover1/a%62", ""},
		{"nats://mover1/a%2Fb", ""},
		{"nats://mover1/>", ""},
		{"nats://mover1/*", ""},
		{"nats://mover1/" + strings.Repeat("x", 65), ""},
		{"nats://mover1:0/home", ""},
		{"nats://mover1:65536/home", ""},
		{"nats://mover1:x/home", ""},
		{"nats://mover1:-1/home", ""},
		{"nats://mover1/home?x=1", ""},
		{"nats://mover1/home?", ""},
		{"nats://mover1/home#x", ""},
		{"nats://user@mover1/home", ""},
		{"nats://user:secret@mover1/home", ""},
		{"ws://mover1/home", ""},
		{"http://mover1/home", ""},
		{"nats://mover1,mover2/home", "nats://mover1,mover2:4222/home"}, // no such host
	} {
		a, err := Parse(tt.text)
		switch {
		case tt.want == "" && !errors.Is(err, ErrAddress) && !errors.Is(err, queue.ErrName):
			t.Errorf("%s: %v, %v, want an error", tt.text, a, err)
		case tt.want != "" && (err != nil || a.String() != tt.want):
			t.Errorf("%s: %v, %v, want %s", tt.text, a, err, tt.want)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("%v shows a password", err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		text     string
		security Security
		want     error
	}{
		{"nats://localhost/j", Security{}, nil},
		{"nats://127.0.0.1/j", Security{}, nil},
		{"nats://127.8.8.8:1/j", Security{}, nil},
		{"nats://[::1]/j", Security{}, nil},
		{"nats://0.0.0.0/j", Security{}, ErrOpen},
		{"nats://localhost.example.org/j", Security{}, ErrOpen},
		{"nats://mover1/j", Security{}, ErrOpen},
		{"nats://mover1/j", Security{Credentials: "c"}, ErrOpen},
		{"nats://mover1/j", Security{CA: "ca"}, ErrOpen},
		{"tls://mover1/j", Security{}, ErrOpen},
		{"tls://mover1/j", Security{CA: "ca"}, ErrOpen},
		{"tls://mover1/j", Security{Credentials: "c"}, nil},
		{"nats://mover1/j", Security{Credentials: "c", CA: "ca"}, nil},
		{"nats://mover1/j", Security{Insecure: true}, nil},
	} {
		a, err := Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Check(tt.security); !errors.Is(err, tt.want) {
			t.Errorf("%s, %+v: %v, want %v", tt.text, tt.security, err, tt.want)
		}
	}
}
