package sshconn

import (
	"context"
	"errors"
	"sync"
	"time"

	"psync/internal/sshconn/auth"
	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/hostkey"
)

// A Target is a host as the user names it.
type Target = config.Target

// Options are the options of connections.
type Options struct {
	ConfigFile string   // read instead of the files of the user and the system
	Command    []string // the command that connects, as with rsync -e
	AcceptNew  bool     // accept and record the keys of unknown hosts
	// ConnectTimeout limits the time to connect to and log in at each host, not counting questions; 0: as
	// configured.
	ConnectTimeout time.Duration
	// Ask and AskSecret ask the user a question. AskSecret does not echo the answer. If they are nil, the
	// user is not asked. Only one question is asked at a time.
	Ask, AskSecret func(ctx context.Context, prompt string) (string, error)
	Notify         func(text string) // shows a message to the user, unless nil
}

// maxHandshakes limits concurrent handshakes: servers drop connections if too many have not authenticated.
const maxHandshakes = 4

// A Dialer connects to hosts. Dial is safe for concurrent use.
type Dialer struct {
	options    Options
	handshakes chan struct{}
	secrets    auth.Secrets
	asking     sync.Mutex // held while the user is asked

	mu      sync.Mutex
	refused map[Target]error // the errors of hosts that have refused the user
}

// NewDialer returns a Dialer.
func NewDialer(o Options) *Dialer {
	return &Dialer{options: o, handshakes: make(chan struct{}, maxHandshakes), refused: make(map[Target]error)}
}

// Dial connects to a host. Unless ctx is done, the error is an *[hosterror.Error].
func (d *Dialer) Dial(ctx context.Context, t Target) (*client.Client, error) {
	if err := t.Check(); err != nil {
		return nil, hosterror.About(ctx, t.Host, t.Port, err)
	}
	d.mu.Lock()
	err := d.refused[t]
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	var c *client.Client
	if words := d.options.Command; len(words) > 0 && !isSSH(words[0]) {
		c = client.NewOfCommand(t, words)
	} else {
		c, err = d.dial(ctx, t, nil, 0)
	}
	err = hosterror.About(ctx, t.Host, t.Port, err)
	if errors.Is(err, auth.ErrRefused) {
		d.mu.Lock()
		d.refused[t] = err
		d.mu.Unlock()
	}
	return c, err
}

// ask asks the user one question at a time.
func (d *Dialer) ask(ctx context.Context, prompt string, secret bool) (string, error) {
	d.asking.Lock()
	defer d.asking.Unlock()
	if secret {
		return d.options.AskSecret(ctx, prompt)
	}
	return d.options.Ask(ctx, prompt)
}

func (d *Dialer) notify(text string) {
	if d.options.Notify != nil {
		d.options.Notify(text)
	}
}

// IsFinal reports whether it is pointless to dial again after err: the host refuses the user, or its key is not
// accepted.
func IsFinal(err error) bool {
	return errors.Is(err, auth.ErrRefused) || errors.As(err, new(*hostkey.Error))
}
