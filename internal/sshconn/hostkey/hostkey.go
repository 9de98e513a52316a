// Package hostkey checks the keys of hosts against known_hosts files.
//
// The files are read as OpenSSH reads them: lines may have hashed names, patterns, ports, authorities and revoked keys;
// patterns match a name with its port; a key that is known for a name without a port is valid for all of its ports; a
// certificate that is not accepted counts as the key in it; and lines that cannot be understood are skipped. A key that
// differs from the known ones, or is revoked, is never accepted.
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

// Host says how to check the keys of a host.
type Host struct {
	Name  string   // by which its keys are known, with the port; case does not matter
	Port  string   // 22 if Name is an alias
	Files []string // those that do not exist are skipped
	Add   string   // the file that keys are added to, or ""
	Hash  bool     // names that are added are hashed
	// Signatures are the algorithms by which an authority may sign keys; nil: all that are not broken.
	Signatures []string
	// Accept says whether to trust a key that is not known. The question is for people.
	Accept func(question string) (bool, error)
	Notify func(text string) // tells them that a key was added
}

// An Error says why a key was not accepted.
type Error struct {
	Reason string
	Remedy string // what the user may do, or ""
}

func (e *Error) Error() string { return e.Reason }

// A Checker checks the keys of a host.
type Checker struct {
	h       Host
	lines   []line          // that are for the host with its port
	noPort  []line          // that are for the host without one, unless that is the same
	revoked map[string]bool // keys as ssh.PublicKey.Marshal returns them, whatever host they are of
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

// defaultPort is the port that the files do not write.
const defaultPort = "22"

// name is the host as the files write it.
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

// KnowsAuthority reports whether an authority is known that may sign keys of the host.
func (c *Checker) KnowsAuthority() bool {
	return c.knows(markerAuthority, func(ssh.PublicKey) bool { return true })
}

// knows reports whether a line with a marker has a key that is wanted.
func (c *Checker) knows(marker string, isWanted func(ssh.PublicKey) bool) bool {
	has := func(l line) bool { return l.marker == marker && isWanted(l.key) }
	return slices.ContainsFunc(c.lines, has) || slices.ContainsFunc(c.noPort, has)
}

// Check checks a key, and has it added if it is accepted though it was not known. An error about the
// key is an *[Error].
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

// somewhere stands for the address of the host, which is not looked at: names are.
var somewhere = &net.TCPAddr{IP: net.IPv4zero}

// checkCertificate returns an error unless an authority that is known has signed a certificate for the host. If it is
// an *[Error], the key must not be accepted for other reasons either.
func (c *Checker) checkCertificate(cert *ssh.Certificate) error {
	for _, key := range []ssh.PublicKey{cert.Key, cert.SignatureKey} {
		if c.isRevoked(key) {
			return c.revocation(key)
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
	return checker.CheckHostKey(net.JoinHostPort(c.h.Name, c.h.Port), somewhere, cert)
}

// verify looks a key up. It reports whether the key is known; the error is that of one that must not be
// accepted.
func (c *Checker) verify(key ssh.PublicKey) (bool, error) {
	has := func(l line) bool { return l.marker == "" && equal(l.key, key) }
	switch {
	case c.isRevoked(key):
		return false, c.revocation(key)
	case slices.ContainsFunc(c.lines, has):
		return true, nil
	}
	if i := slices.IndexFunc(c.lines, func(l line) bool { return l.marker == "" }); i >= 0 {
		return false, c.changed(key, c.lines[i])
	}
	return slices.ContainsFunc(c.noPort, has), nil
}

// plain returns the key in a certificate, or a key that is none as it is.
func plain(key ssh.PublicKey) ssh.PublicKey {
	if cert, ok := key.(*ssh.Certificate); ok {
		return cert.Key
	}
	return key
}

func equal(a, b ssh.PublicKey) bool { return string(a.Marshal()) == string(b.Marshal()) }

func (c *Checker) isRevoked(key ssh.PublicKey) bool { return c.revoked[string(key.Marshal())] }

func (c *Checker) revocation(key ssh.PublicKey) *Error {
	return &Error{fmt.Sprintf("its %s key %s is revoked", keyType(key), ssh.FingerprintSHA256(key)), ""}
}

func (c *Checker) changed(key ssh.PublicKey, want line) error {
	return &Error{
		fmt.Sprintf("its key has changed, and somebody may be listening in: it shows the %s key %s, but line %d of %s has the %s key %s",
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

// add adds a key to the file. Others may be doing the same, so that the file is locked and looked at
// again.
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
