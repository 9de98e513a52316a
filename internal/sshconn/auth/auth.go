// Package auth authenticates users at hosts: with keys from files and from the agent, with passwords, and
// with answers to questions.
package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/printable"
)

// maxTries is how often the user is asked for a passphrase, a password or answers.
const maxTries = 3

// An Authentication tries the methods to authenticate the user at one host, one after another.
type Authentication struct {
	s        *config.Host
	secrets  *Secrets
	ask      func(prompt string, secret bool) (string, error) // nil: the user cannot be asked
	keys     []*key
	agent    io.Closer // of the agent, or nil
	tries    map[string]int
	started  bool
	tried    []string // what the host has refused, for messages
	unusable []string // keys that could not be tried, and why
	accepted []func() // remember the answers
}

// Open finds the keys and connects to the agent. It asks the user with ask, unless ask is nil, and calls pause while
// the user may have to do something. The error is a *[hosterror.NeedsSSHError] if only ssh can use a key.
func Open(ctx context.Context, s *config.Host, secrets *Secrets, ask func(string, bool) (string, error), pause func() func()) (*Authentication, error) {
	a := &Authentication{s: s, secrets: secrets, ask: ask, tries: make(map[string]int)}
	if !s.Methods["publickey"] {
		return a, nil
	}
	fromAgent, closer, err := agentKeys(ctx, s.Agent)
	if err != nil {
		a.unusable = append(a.unusable, fmt.Sprintf("agent (%s)", printable.Text(err.Error())))
	}
	a.agent = closer
	decrypt := a.decrypt
	if ask == nil {
		decrypt = nil
	}
	var ids []*identity
	var certificates []*ssh.Certificate
	for _, file := range s.IdentityFiles {
		// A key of the agent needs no passphrase, so it can be used even if the user cannot be asked.
		id, err := readIdentity(file, decrypt)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !hasKey(fromAgent, id) {
			a.unusable = append(a.unusable, fmt.Sprintf("%s (%v)", file, err))
		}
		if id == nil {
			continue
		}
		if id.signer == nil && inHardware(id.public) && !hasKey(fromAgent, id) {
			return a, &hosterror.NeedsSSHError{What: "the key in hardware of " + file}
		}
		ids = append(ids, id)
		certificates = appendCertificate(certificates, strings.TrimSuffix(file, ".pub")+"-cert.pub")
	}
	for _, file := range s.CertificateFiles {
		certificates = appendCertificate(certificates, file)
	}
	a.keys = orderKeys(s, ids, fromAgent, certificates)
	for _, k := range a.keys {
		k.pause = pause
	}
	return a, nil
}

func hasKey(keys []*key, id *identity) bool {
	return id != nil && slices.ContainsFunc(keys, func(k *key) bool { return sameKey(k.public, id.public) })
}

func appendCertificate(all []*ssh.Certificate, file string) []*ssh.Certificate {
	public, err := readPublic(file)
	if cert, ok := public.(*ssh.Certificate); ok && err == nil {
		all = append(all, cert)
	}
	return all
}

// Close ends the connection to the agent.
func (a *Authentication) Close() {
	if a.agent != nil {
		_ = a.agent.Close() // No data can be lost.
	}
}

// Next is an ssh.ClientAuthCallback: it returns what to try next.
func (a *Authentication) Next(c *ssh.ClientAuthContext) (ssh.AuthMethod, error) {
	if !a.started && a.s.GSSAPI && slices.Contains(c.AllowedMethods, "gssapi-with-mic") && hasTicket() {
		return nil, &hosterror.NeedsSSHError{What: "Kerberos"}
	}
	a.started = true
	may := func(method string) bool { return slices.Contains(c.AllowedMethods, method) && a.s.Methods[method] }
	if may("publickey") && len(a.keys) > 0 {
		k := a.keys[0]
		a.keys = a.keys[1:]
		a.tried = append(a.tried, k.name)
		return ssh.PublicKeys(k), nil
	}
	for _, method := range []string{"keyboard-interactive", "password"} {
		if !may(method) || a.ask == nil || a.tries[method] == maxTries {
			continue
		}
		a.tries[method]++
		if a.tries[method] == 1 {
			a.tried = append(a.tried, method)
		}
		if method == "password" {
			return ssh.PasswordCallback(a.password), nil
		}
		return ssh.KeyboardInteractive(a.answers), nil
	}
	return nil, a.Refused(c.AllowedMethods)
}

// ErrRefused is the error for a host that refuses the user. The caller should not try again.
var ErrRefused = errors.New("authentication was refused")

// Refused returns the error for a host that has refused everything that was tried. methods are those that the host
// accepts, as far as is known.
func (a *Authentication) Refused(methods []string) error {
	tried := "nothing, as no usable key was found"
	if len(a.tried) > 0 {
		tried = strings.Join(a.tried, ", ")
	}
	text := fmt.Sprintf(" to %s; tried: %s", a.s.User, tried)
	if len(a.unusable) > 0 {
		text += "; not usable: " + strings.Join(a.unusable, ", ")
	}
	if len(methods) > 0 {
		text += "; the host takes: " + printable.Text(strings.Join(methods, ", "))
	}
	return &hosterror.RemediedError{Cause: fmt.Errorf("%w%s", ErrRefused, text), Remedy: "add a key to the agent with ssh-add, or let ssh connect with -e ssh"}
}

// Started reports whether the host has allowed any attempt.
func (a *Authentication) Started() bool { return a.started }

// hasTicket reports whether the user has a valid Kerberos ticket.
func hasTicket() bool {
	path, err := exec.LookPath("klist")
	return err == nil && exec.Command(path, "-s").Run() == nil
}

// decrypt asks for the passphrase of a key.
func (a *Authentication) decrypt(file string, text []byte) (ssh.Signer, error) {
	var err error
	for range maxTries {
		phrase, known := a.secrets.get(file)
		if !known {
			if phrase, err = a.ask(fmt.Sprintf("Passphrase of %s: ", printable.Text(file)), true); err != nil {
				return nil, err
			}
		}
		var signer ssh.Signer
		if signer, err = ssh.ParsePrivateKeyWithPassphrase(text, []byte(phrase)); err == nil {
			a.secrets.known.Store(file, phrase)
			return signer, nil
		}
		a.secrets.known.Delete(file)
	}
	a.unusable = append(a.unusable, file+" (the passphrase was wrong)")
	return nil, err
}

// password asks for the password, unless it was accepted earlier.
func (a *Authentication) password() (string, error) {
	return a.secret(fmt.Sprintf("Password of %s@%s: ", a.s.User, a.s.Alias), a.tries["password"])
}

// answers answers the questions of a host. It remembers passwords, but not answers that may change with each
// connection.
func (a *Authentication) answers(_, instruction string, questions []string, echos []bool) ([]string, error) {
	answers := make([]string, len(questions))
	for i, q := range questions {
		prompt := fmt.Sprintf("%s@%s: %s ", a.s.User, a.s.Alias, printable.Text(q))
		if i == 0 && strings.TrimSpace(instruction) != "" {
			prompt = printable.Text(instruction) + "\n" + prompt
		}
		var err error
		if !echos[i] && strings.Contains(strings.ToLower(q), "password") {
			answers[i], err = a.secret(prompt, a.tries["keyboard-interactive"])
		} else {
			answers[i], err = a.ask(prompt, !echos[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// secret returns an earlier answer to the same prompt of the same server, or asks. The answer is remembered if
// the server accepts it.
func (a *Authentication) secret(prompt string, try int) (string, error) {
	what := fmt.Sprintf("%s port %d: %s", a.s.HostName, a.s.Port, prompt)
	if s, known := a.secrets.get(what); known && try == 1 {
		return s, nil
	}
	a.secrets.known.Delete(what)
	s, err := a.ask(prompt, true)
	if err == nil {
		a.accepted = append(a.accepted, func() { a.secrets.known.Store(what, s) })
	}
	return s, err
}

// Succeeded remembers the last answers, because the host has accepted them.
func (a *Authentication) Succeeded() {
	for _, remember := range a.accepted {
		remember()
	}
}
