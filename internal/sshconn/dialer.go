package sshconn

import (
	"context"
	"errors"
	"os/exec"
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

// Options say how to connect.
type Options struct {
	ConfigFile string   // is read instead of the files of the user and of the system
	Command    []string // connects instead, as with rsync -e
	AcceptNew  bool     // accepts and adds keys of hosts that are not known
	// ConnectTimeout is how long each host may take to let the user in, questions apart; 0: as configured.
	ConnectTimeout time.Duration
	// Ask and AskSecret ask the user a question; the answer to a secret one is not shown while it is
	// typed. Nobody is asked if they are nil. Only one question is asked at a time.
	Ask, AskSecret func(ctx context.Context, prompt string) (string, error)
	Notify         func(text string) // tells the user something, unless nil
}

// maxHandshakes are under way at most: servers drop connections if more have not authenticated.
const maxHandshakes = 4

// A Dialer connects to hosts. Dial may be called at the same time.
type Dialer struct {
	options    Options
	handshakes chan struct{}
	secrets    auth.Secrets
	asking     sync.Mutex // held while the user is asked

	mu      sync.Mutex
	refused map[Target]error // what hosts have said that have refused the user
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

// dial connects to a target through others, or as its configuration says if there are none.
func (d *Dialer) dial(ctx context.Context, t Target, via []Target, depth int) (*client.Client, error) {
	words := []string{"ssh"}
	named := len(d.options.Command) > 0
	if named && depth == 0 {
		words = d.options.Command
	}
	s, err := config.Lookup(ctx, t, words, d.options.ConfigFile)
	if err != nil {
		return nil, err
	}
	if d.options.ConnectTimeout > 0 {
		s.ConnectTimeout = d.options.ConnectTimeout
	}
	if named && depth == 0 {
		c, err := d.startMaster(ctx, t, s, via, words)
		return c, hosterror.About(ctx, t.Host, s.Port, err)
	}
	if c := dialMaster(ctx, s, s.ControlPath); c != nil {
		return c, nil
	}
	if s.NeedsSSH != "" {
		err = &hosterror.NeedsSSHError{What: s.NeedsSSH}
	}
	var c *client.Client
	if err == nil {
		c, err = d.native(ctx, s, via, depth)
	}
	var needs *hosterror.NeedsSSHError
	if !errors.As(err, &needs) {
		return c, hosterror.About(ctx, t.Host, s.Port, err)
	}
	if _, lookErr := exec.LookPath("ssh"); lookErr != nil {
		return nil, hosterror.About(ctx, t.Host, s.Port, &hosterror.RemediedError{Cause: err, Remedy: "install ssh"})
	}
	c, err = d.startMaster(ctx, t, s, via, words)
	return c, hosterror.About(ctx, t.Host, s.Port, err)
}

// ask asks the user, who answers one question at a time.
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

// IsFinal reports whether an error of Dial would be the same again: the host refuses the user, or has another key than
// it should.
func IsFinal(err error) bool {
	var key *hostkey.Error
	return errors.Is(err, auth.ErrRefused) || errors.As(err, &key)
}
