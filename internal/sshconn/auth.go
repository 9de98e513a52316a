package sshconn

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
)

// maxTries is how often a passphrase, a password or answers are asked for.
const maxTries = 3

// authentication tries one method after the other to authenticate the user at one host.
type authentication struct {
	s        *config.Host
	secrets  *secrets
	ask      func(prompt string, secret bool) (string, error) // nil: nobody is there to be asked
	keys     []*key
	agent    io.Closer // of the agent, or nil
	tries    map[string]int
	started  bool
	tried    []string // what the host has refused, for people
	unusable []string // keys that could not be tried, and why
	accepted []func() // remember what was answered
}

// newAuthentication finds the keys. The error is a *needsSSHError if one of them can only be used by
// ssh.
func newAuthentication(ctx context.Context, s *config.Host, secrets *secrets, ask func(string, bool) (string, error), pause func() func()) (*authentication, error) {
	a := &authentication{s: s, secrets: secrets, ask: ask, tries: make(map[string]int)}
	if !s.Methods["publickey"] {
		return a, nil
	}
	fromAgent, closer, err := agentKeys(ctx, s.Agent)
	if err != nil {
		a.unusable = append(a.unusable, fmt.Sprintf("agent (%s)", escape(err.Error())))
	}
	a.agent = closer
	decrypt := a.decrypt
	if ask == nil {
		decrypt = nil
	}
	var ids []*identity
	var certificates []*ssh.Certificate
	for _, file := range s.IdentityFiles {
		// A key of the agent needs no passphrase, even if nobody can be asked for one.
		id, err := readIdentity(file, decrypt)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !hasKey(fromAgent, id) {
			a.unusable = append(a.unusable, fmt.Sprintf("%s (%v)", file, err))
		}
		if id == nil {
			continue
		}
		if id.signer == nil && inHardware(id.public) && !hasKey(fromAgent, id) {
			return a, &needsSSHError{"the key in hardware of " + file}
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

// close ends the connection to the agent.
func (a *authentication) close() {
	if a.agent != nil {
		_ = a.agent.Close() // Nothing was written that could be lost.
	}
}

// next is an ssh.ClientAuthCallback: it returns what to try next.
func (a *authentication) next(c *ssh.ClientAuthContext) (ssh.AuthMethod, error) {
	if !a.started && a.s.GSSAPI && slices.Contains(c.AllowedMethods, "gssapi-with-mic") && hasTicket() {
		return nil, &needsSSHError{"Kerberos"}
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
	return nil, a.refused(c.AllowedMethods)
}

var errRefused = errors.New("authentication was refused")

// refused says what was tried.
func (a *authentication) refused(methods []string) error {
	tried := "nothing, as no usable key was found"
	if len(a.tried) > 0 {
		tried = strings.Join(a.tried, ", ")
	}
	text := fmt.Sprintf(" to %s; tried: %s", a.s.User, tried)
	if len(a.unusable) > 0 {
		text += "; not usable: " + strings.Join(a.unusable, ", ")
	}
	if len(methods) > 0 {
		text += "; the host takes: " + escape(strings.Join(methods, ", "))
	}
	return &remedied{fmt.Errorf("%w%s", errRefused, text), "add a key to the agent with ssh-add, or let ssh connect with -e ssh"}
}

// hasTicket reports whether the user has a valid ticket of Kerberos.
func hasTicket() bool {
	path, err := exec.LookPath("klist")
	return err == nil && exec.Command(path, "-s").Run() == nil
}

// decrypt asks for the passphrase of a key.
func (a *authentication) decrypt(file string, text []byte) (ssh.Signer, error) {
	var err error
	for range maxTries {
		phrase, known := a.secrets.get(file)
		if !known {
			if phrase, err = a.ask(fmt.Sprintf("Passphrase of %s: ", escape(file)), true); err != nil {
				return nil, err
			}
		}
		var signer ssh.Signer
		if signer, err = ssh.ParsePrivateKeyWithPassphrase(text, []byte(phrase)); err == nil {
			a.secrets.put(file, phrase)
			return signer, nil
		}
		a.secrets.forget(file)
	}
	a.unusable = append(a.unusable, file+" (the passphrase was wrong)")
	return nil, err
}

// password asks for the password, unless it was accepted earlier.
func (a *authentication) password() (string, error) {
	return a.secret(fmt.Sprintf("Password of %s@%s: ", a.s.User, a.s.Alias), a.tries["password"])
}

// answers answers the questions of a host. Passwords among them are remembered; answers that may
// change with each connection are not.
func (a *authentication) answers(_, instruction string, questions []string, echos []bool) ([]string, error) {
	answers := make([]string, len(questions))
	for i, q := range questions {
		prompt := fmt.Sprintf("%s@%s: %s ", a.s.User, a.s.Alias, escape(q))
		if i == 0 && strings.TrimSpace(instruction) != "" {
			prompt = escape(instruction) + "\n" + prompt
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

// secret returns what was answered to a prompt of the same server earlier, or asks. It is remembered once it is
// accepted.
func (a *authentication) secret(prompt string, try int) (string, error) {
	what := fmt.Sprintf("%s port %d: %s", a.s.HostName, a.s.Port, prompt)
	if s, known := a.secrets.get(what); known && try == 1 {
		return s, nil
	}
	a.secrets.forget(what)
	s, err := a.ask(prompt, true)
	if err == nil {
		a.accepted = append(a.accepted, func() { a.secrets.put(what, s) })
	}
	return s, err
}

// succeeded remembers the answers, the last of which were accepted.
func (a *authentication) succeeded() {
	for _, remember := range a.accepted {
		remember()
	}
}
