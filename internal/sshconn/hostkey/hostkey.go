// Package hostkey checks the keys of hosts against known_hosts files.
//
// The package interprets the files as OpenSSH does: lines may have hashed names, patterns, ports, authorities and
// revoked keys; patterns match a name with its port; a key that is known for a name without a port is valid for all
// ports; a certificate that is not accepted counts as the key in it; malformed lines are skipped. A key that differs
// from the known ones, or is revoked, is never accepted.
package hostkey

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"

	"psync/internal/sshconn/printable"
)

// A Host describes how to check the keys of a host.
type Host struct {
	Name  string   // the name that its keys are known by, with Port; case does not matter
	Port  string   // 22 if Name is an alias
	Files []string // missing files are skipped
	Add   string   // the file that keys are added to, or ""
	Hash  bool     // hash the names of added keys
	// Signatures are the algorithms that authorities may sign keys with; nil: all that are not broken.
	Signatures []string
	// Accept asks the user whether to trust an unknown key.
	Accept func(question string) (bool, error)
	Notify func(text string) // notifies the user that a key was added
}

// An Error describes why a key was not accepted.
type Error struct {
	Reason string
	Remedy string // what the user may do, or ""
}

func (e *Error) Error() string { return e.Reason }

// A Checker checks the keys of a host.
type Checker struct {
	h       Host
	lines   []line          // the lines for the host with its port
	noPort  []line          // the lines for the host without a port, unless that is the same
	revoked map[string]bool // keys of all hosts, as ssh.PublicKey.Marshal returns them
}

// NewChecker reads the files of a host.
func NewChecker(h Host) (*Checker, error) {
	h.Name = strings.ToLower(h.Name)
	c := &Checker{h: h}
	return c, c.read()
}

func (c *Checker) read() error {
	c.lines, c.noPort, c.revoked = nil, nil, make(map[string]bool)
	for _, file := range c.h.Files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, l := range parseLines(file, text) {
			switch {
			case l.marker == markerRevoked:
				c.revoked[string(plain(l.key).Marshal())] = true
			case l.isFor(c.name()):
				c.lines = append(c.lines, l)
			case c.h.Port != defaultPort && l.isFor(c.h.Name):
				c.noPort = append(c.noPort, l)
			}
		}
	}
	return nil
}

// defaultPort is the port that known_hosts files omit.
const defaultPort = "22"

// name returns the host in the form of known_hosts files.
func (c *Checker) name() string {
	if c.h.Port == defaultPort {
		return c.h.Name
	}
	return "[" + c.h.Name + "]:" + c.h.Port
}

// KnowsType reports whether a key of a type is known.
func (c *Checker) KnowsType(keyType string) bool {
	return c.knows("", func(key ssh.PublicKey) bool { return key.Type() == keyType })
}

// KnowsAuthority reports whether an authority that may sign keys of the host is known.
func (c *Checker) KnowsAuthority() bool {
	return c.knows(markerAuthority, func(ssh.PublicKey) bool { return true })
}

// knows reports whether a line with this marker has a key that isWanted is true for.
func (c *Checker) knows(marker string, isWanted func(ssh.PublicKey) bool) bool {
	has := func(l line) bool { return l.marker == marker && isWanted(l.key) }
	return slices.ContainsFunc(c.lines, has) || slices.ContainsFunc(c.noPort, has)
}

// Check checks a key. It adds an unknown key that is accepted to the file. An error about the key is an
// *[Error].
func (c *Checker) Check(key ssh.PublicKey) error {
	remark := ""
	if cert, ok := key.(*ssh.Certificate); ok {
		if err := c.checkCertificate(cert); err == nil {
			return nil
		} else if refused, final := errors.AsType[*Error](err); final {
			return refused
		} else if c.KnowsAuthority() {
			remark = fmt.Sprintf(" (its certificate is not accepted: %s)", printable.Text(err.Error()))
		}
		key = cert.Key
	}
	isKnown, err := c.verify(key)
	if isKnown || err != nil {
		return err
	}
	unknown := &Error{
		fmt.Sprintf("its key is not known: none of the files %s has the %s key %s for %s%s",
			c.files(), keyType(key), ssh.FingerprintSHA256(key), c.name(), remark),
		"compare the fingerprint, then accept the key with --ssh-accept-new",
	}
	question := fmt.Sprintf("The authenticity of %s cannot be established: none of the files %s knows it.\n"+
		"Its %s key has the fingerprint %s%s.\nContinue connecting (yes/no)? ",
		c.name(), c.files(), keyType(key), ssh.FingerprintSHA256(key), remark)
	ok, err := c.h.Accept(question)
	if err != nil {
		return err
	}
	if !ok {
		return unknown
	}
	return c.add(key)
}

// checkCertificate returns an error unless a known authority has signed the certificate for the host. If the error is
// an *[Error], the key must not be accepted for other reasons either.
func (c *Checker) checkCertificate(cert *ssh.Certificate) error {
	for _, key := range []ssh.PublicKey{cert.Key, cert.SignatureKey} {
		if c.isRevoked(key) {
			return c.revokedError(key)
		}
	}
	allowed := c.h.Signatures
	if allowed == nil {
		allowed = ssh.SupportedAlgorithms().PublicKeyAuths
	}
	if !slices.Contains(allowed, cert.Signature.Format) {
		return fmt.Errorf("it is signed by means of %s, which CASignatureAlgorithms of the configuration does not allow", cert.Signature.Format)
	}
	checker := ssh.CertChecker{IsHostAuthority: func(authority ssh.PublicKey, _ string) bool {
		return c.knows(markerAuthority, func(key ssh.PublicKey) bool { return equal(key, authority) })
	}}
	somewhere := &net.TCPAddr{IP: net.IPv4zero} // the address does not matter: only names are checked
	return checker.CheckHostKey(net.JoinHostPort(c.h.Name, c.h.Port), somewhere, cert)
}

// verify looks up a key. It reports whether the key is known, and returns an error if it must not be
// accepted.
func (c *Checker) verify(key ssh.PublicKey) (bool, error) {
	has := func(l line) bool { return l.marker == "" && equal(l.key, key) }
	switch {
	case c.isRevoked(key):
		return false, c.revokedError(key)
	case slices.ContainsFunc(c.lines, has):
		return true, nil
	}
	if i := slices.IndexFunc(c.lines, func(l line) bool { return l.marker == "" }); i >= 0 {
		return false, c.changedError(key, c.lines[i])
	}
	return slices.ContainsFunc(c.noPort, has), nil
}

// plain returns the key in a certificate, or the key itself if it is not a certificate.
func plain(key ssh.PublicKey) ssh.PublicKey {
	if cert, ok := key.(*ssh.Certificate); ok {
		return cert.Key
	}
	return key
}

func equal(a, b ssh.PublicKey) bool { return string(a.Marshal()) == string(b.Marshal()) }

func (c *Checker) isRevoked(key ssh.PublicKey) bool { return c.revoked[string(key.Marshal())] }

func (c *Checker) revokedError(key ssh.PublicKey) *Error {
	return &Error{fmt.Sprintf("its %s key %s is revoked", keyType(key), ssh.FingerprintSHA256(key)), ""}
}

func (c *Checker) changedError(key ssh.PublicKey, want line) error {
	return &Error{
		fmt.Sprintf("its key has changed, and someone may be listening in: it shows the %s key %s, but line %d of %s has the %s key %s",
			keyType(key), ssh.FingerprintSHA256(key), want.number, want.file, keyType(want.key), ssh.FingerprintSHA256(want.key)),
		fmt.Sprintf("ask who runs the host; if the change is rightful, remove the old key with ssh-keygen -f %q -R %q", want.file, c.name()),
	}
}

func (c *Checker) files() string { return strings.Join(c.h.Files, ", ") }

// keyType returns the type of a key as ssh-keygen shows it.
func keyType(key ssh.PublicKey) string {
	name := strings.TrimPrefix(strings.TrimSuffix(key.Type(), "@openssh.com"), "ssh-")
	if strings.HasPrefix(name, "ecdsa") {
		name = "ecdsa"
	}
	return strings.ToUpper(name)
}

// add adds a key to the file. It locks the file and reads it again, because other processes may be adding
// keys.
func (c *Checker) add(key ssh.PublicKey) (err error) {
	if c.h.Add == "" {
		return &Error{"its key is not known, and the configuration has no file to add it to", "set UserKnownHostsFile"}
	}
	if err := os.MkdirAll(filepath.Dir(c.h.Add), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(c.h.Add, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return &fs.PathError{Op: "flock", Path: c.h.Add, Err: err}
	}
	if err := c.read(); err != nil {
		return err
	}
	if isKnown, err := c.verify(key); isKnown || err != nil {
		return err
	}
	host := c.name()
	if c.h.Hash {
		host = newHash(host)
	}
	if err := appendLine(f, host+" "+string(ssh.MarshalAuthorizedKey(key))); err != nil {
		return err
	}
	c.h.Notify(fmt.Sprintf("added the %s key %s of %s to %s", keyType(key), ssh.FingerprintSHA256(key), c.name(), c.h.Add))
	return nil
}
