// Package hostkey checks the keys of hosts against known_hosts files.
//
// Lines may have hashed names, patterns, ports, authorities and revoked keys. As with OpenSSH, a key
// that is known for a name without a port is valid for all of its ports, and lines that cannot be
// understood are skipped. A key that differs from the known ones, or is revoked, is never accepted.
package hostkey

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	known "golang.org/x/crypto/ssh/knownhosts"
)

// Host says how to check the keys of a host.
type Host struct {
	Name  string   // by which its keys are known, with the port; case does not matter
	Port  string   // 22 if Name is an alias
	Files []string // those that do not exist are skipped
	Add   string   // the file that keys are added to, or ""
	Hash  bool     // names that are added are hashed
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
	h        Host
	db       *knownhosts.HostKeyDB
	original map[string]string // names of files that were read in a copy
}

// NewChecker reads the files of a host.
func NewChecker(h Host) (*Checker, error) {
	h.Name = strings.ToLower(h.Name)
	c := &Checker{h: h}
	return c, c.read()
}

// read reads the files. The parser refuses a whole file for a line that it does not understand, so such
// lines are left out of a copy.
func (c *Checker) read() error {
	c.original = make(map[string]string)
	var readable []string
	for i, name := range c.h.Files {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) || slices.Contains(c.h.Files[:i], name) {
			continue
		}
		if err != nil {
			return err
		}
		if valid, changed := validLines(text); changed {
			temp, err := writeTemporary(valid)
			if err != nil {
				return err
			}
			defer func() { _ = os.Remove(temp) }()
			c.original[temp], name = name, temp
		}
		readable = append(readable, name)
	}
	var err error
	c.db, err = knownhosts.NewDB(readable...)
	return err
}

// address is the name by which the files know the host.
func (c *Checker) address() string { return net.JoinHostPort(c.h.Name, c.h.Port) }

// name is the address as the files write it.
func (c *Checker) name() string { return known.Normalize(c.address()) }

// addresses are the names to look for.
func (c *Checker) addresses() []string {
	names := []string{c.address()}
	if c.h.Port != "22" {
		names = append(names, net.JoinHostPort(c.h.Name, "22"))
	}
	return names
}

// Algorithms returns those of the keys that are known.
func (c *Checker) Algorithms() []string {
	var all []string
	for _, name := range c.addresses() {
		for _, a := range c.db.HostKeyAlgorithms(name) {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// Check checks a key, and has it added if it is accepted though it was not known. An error about the
// key is an *[Error].
func (c *Checker) Check(key ssh.PublicKey) error {
	isKnown, err := c.verify(key)
	if isKnown || err != nil {
		return err
	}
	unknown := &Error{
		fmt.Sprintf("its key is not known: none of the files %s has the %s key %s for %s",
			c.files(), keyType(key), ssh.FingerprintSHA256(key), c.name()),
		"compare the fingerprint, then accept the key with --ssh-accept-new",
	}
	question := fmt.Sprintf("The authenticity of %s cannot be established: none of the files %s knows it.\n"+
		"Its %s key has the fingerprint %s.\nContinue connecting (yes/no)? ",
		c.name(), c.files(), keyType(key), ssh.FingerprintSHA256(key))
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

// verify looks a key up. It reports whether the key is known; the error is that of one that must not be
// accepted.
func (c *Checker) verify(key ssh.PublicKey) (bool, error) {
	check := c.db.HostKeyCallback()
	var certErr error
	for _, name := range c.addresses() {
		err := check(name, somewhere, key)
		var revoked *known.RevokedError
		var other *known.KeyError
		switch {
		case err == nil:
			return true, nil
		case errors.As(err, &revoked):
			return false, &Error{fmt.Sprintf("its %s key %s is revoked", keyType(key), ssh.FingerprintSHA256(key)), ""}
		case !errors.As(err, &other):
			certErr = &Error{fmt.Sprintf("its certificate %s is not accepted: %q", ssh.FingerprintSHA256(key), err.Error()), ""}
		case name == c.address() && c.hasKey(name):
			return false, c.changed(key, other.Want[0])
		}
	}
	return false, certErr
}

// hasKey reports whether a key is known for a host, not only authorities. A host that shows no
// certificate of theirs is unknown, not changed.
func (c *Checker) hasKey(address string) bool {
	return slices.ContainsFunc(c.db.HostKeys(address), func(k knownhosts.PublicKey) bool { return !k.Cert })
}

func (c *Checker) changed(key ssh.PublicKey, want known.KnownKey) error {
	file := cmp.Or(c.original[want.Filename], want.Filename)
	return &Error{
		fmt.Sprintf("its key has changed, and somebody may be listening in: it shows the %s key %s, but line %d of %s has the %s key %s",
			keyType(key), ssh.FingerprintSHA256(key), want.Line, file, keyType(want.Key), ssh.FingerprintSHA256(want.Key)),
		fmt.Sprintf("ask who runs the host; if the change is rightful, remove the old key with ssh-keygen -f %q -R %q", file, c.name()),
	}
}

func (c *Checker) files() string { return strings.Join(c.h.Files, ", ") }

// keyType returns the type of a key as ssh-keygen shows it.
func keyType(key ssh.PublicKey) string {
	name := strings.TrimSuffix(strings.TrimSuffix(key.Type(), "-cert-v01@openssh.com"), "@openssh.com")
	name = strings.TrimPrefix(name, "ssh-")
	if strings.HasPrefix(name, "ecdsa") {
		name = "ecdsa"
	}
	return strings.ToUpper(name)
}

// add adds a key to the file. Others may be doing the same, so that the file is locked and looked at
// again.
func (c *Checker) add(key ssh.PublicKey) (err error) {
	if cert, ok := key.(*ssh.Certificate); ok {
		key = cert.Key
	}
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
		host = known.HashHostname(host)
	}
	if err := appendLine(f, host+" "+string(ssh.MarshalAuthorizedKey(key))); err != nil {
		return err
	}
	c.h.Notify(fmt.Sprintf("added the %s key %s of %s to %s", keyType(key), ssh.FingerprintSHA256(key), c.name(), c.h.Add))
	return nil
}
