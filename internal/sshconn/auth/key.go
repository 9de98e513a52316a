package auth

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"psync/internal/sshconn/config"
	"psync/internal/sshconn/printable"
)

// A key is a key that may authenticate the user. It is an ssh.AlgorithmSigner that asks for the passphrase
// only if the host accepts the key.
type key struct {
	public ssh.PublicKey // a certificate, if there is one
	name   string
	signer func() (ssh.Signer, error)
	pause  func() (resume func()) // called while the user may have to do something
}

func (k *key) PublicKey() ssh.PublicKey { return k.public }

func (k *key) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return k.SignWithAlgorithm(rand, data, "")
}

func (k *key) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	defer k.pause()()
	signer, err := k.signer()
	if err != nil {
		return nil, err
	}
	if s, ok := signer.(ssh.AlgorithmSigner); ok && algorithm != "" {
		return s.SignWithAlgorithm(rand, data, algorithm)
	}
	return signer.Sign(rand, data)
}

// maxKeys is the maximum number of keys to offer: servers disconnect after six.
const maxKeys = 6

// inHardware reports whether a key is on a FIDO authenticator. Only an agent or ssh can sign with it.
func inHardware(k ssh.PublicKey) bool { return strings.HasPrefix(k.Type(), "sk-") }

// An identity is a key file named by the configuration, and its contents.
type identity struct {
	file   string
	public ssh.PublicKey
	signer func() (ssh.Signer, error) // nil if the file only selects a key of the agent
}

// readIdentity reads a key file. The public key is in the same file, or in the .pub file next to it.
// readIdentity asks for passphrases with ask, unless ask is nil.
func readIdentity(file string, ask passphrase) (*identity, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		public, pubErr := readPublic(file + ".pub")
		if pubErr != nil {
			return nil, err
		}
		return &identity{file: file, public: public}, nil
	}
	if err != nil {
		return nil, err
	}
	if public, _, _, _, err := ssh.ParseAuthorizedKey(text); err == nil {
		return &identity{file: file, public: public}, nil
	}
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 && isOurs(info) {
		return nil, errors.New("others may read it")
	}
	id := &identity{file: file, public: publicPart(text)}
	signer, err := ssh.ParsePrivateKey(text)
	var encrypted *ssh.PassphraseMissingError
	switch {
	case err == nil:
		id.public, id.signer = signer.PublicKey(), func() (ssh.Signer, error) { return signer, nil }
		return id, nil
	case id.public == nil:
		id.public, _ = readPublic(file + ".pub")
	}
	switch {
	case id.public != nil && inHardware(id.public):
		return id, nil
	case !errors.As(err, &encrypted):
		return nil, errors.New(printable.Text(err.Error()))
	case ask == nil:
		return id, errors.New("it needs a passphrase")
	}
	id.signer = func() (ssh.Signer, error) { return ask(file, text) }
	if id.public == nil { // an old format without a .pub file has the public key only in the encrypted part
		if signer, err = id.signer(); err != nil {
			return nil, err
		}
		id.public = signer.PublicKey()
	}
	return id, nil
}

// isOurs reports whether the user owns a file. As in ssh, the permissions of files of other owners are not
// checked.
func isOurs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Getuid()
}

// A passphrase function decrypts the text of a file with a passphrase that it asks for.
type passphrase func(file string, text []byte) (ssh.Signer, error)

// publicPart returns the public key, which is not encrypted, from the text of a private key in OpenSSH's
// format, or nil.
func publicPart(text []byte) ssh.PublicKey {
	const magic = "openssh-key-v1\x00"
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "OPENSSH PRIVATE KEY" || !strings.HasPrefix(string(block.Bytes), magic) {
		return nil
	}
	var body struct {
		Cipher, KDF, Options string
		Number               uint32
		Public               []byte
		Rest                 []byte `ssh:"rest"`
	}
	if ssh.Unmarshal(block.Bytes[len(magic):], &body) != nil {
		return nil
	}
	public, err := ssh.ParsePublicKey(body.Public)
	if err != nil {
		return nil
	}
	return public
}

func readPublic(file string) (ssh.PublicKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	public, _, _, _, err := ssh.ParseAuthorizedKey(text)
	return public, err
}

// agentKeys returns the keys of the agent at a socket, and the connection that they use for signing. The
// connection is closed when ctx ends, because an agent may never answer.
func agentKeys(ctx context.Context, socket string) ([]*key, io.Closer, error) {
	if socket == "" {
		return nil, nil, nil
	}
	dialed, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, nil, err
	}
	conn := &agentConn{dialed, context.AfterFunc(ctx, func() { _ = dialed.Close() })} // The pending read or write returns the error.
	client := agent.NewClient(conn)
	signers, err := client.Signers()
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	var keys []*key
	for _, s := range signers {
		keys = append(keys, &key{
			public: s.PublicKey(), name: "agent " + ssh.FingerprintSHA256(s.PublicKey()),
			signer: func() (ssh.Signer, error) { return s, nil },
		})
	}
	return keys, conn, nil
}

// agentConn is a connection to an agent.
type agentConn struct {
	net.Conn
	stop func() bool // stops ctx from closing the connection
}

func (c *agentConn) Close() error {
	c.stop()
	return c.Conn.Close()
}

// orderKeys returns the keys to offer: first the keys of configured files, then other keys of the agent, then
// the files that ssh tries by default. Certificates come before their keys.
func orderKeys(s *config.Host, ids []*identity, fromAgent []*key, certificates []*ssh.Certificate) []*key {
	var configured, files, others []*key
	used := make(map[*key]bool)
	for _, id := range ids {
		i := slices.IndexFunc(fromAgent, func(k *key) bool { return sameKey(k.public, id.public) })
		switch {
		case i >= 0:
			used[fromAgent[i]] = true
			configured = append(configured, &key{public: fromAgent[i].public, name: id.file + " (agent)", signer: fromAgent[i].signer})
		case id.signer != nil:
			k := &key{public: id.public, name: id.file, signer: id.signer}
			if s.DefaultFiles {
				files = append(files, k)
			} else {
				configured = append(configured, k)
			}
		}
	}
	for _, k := range fromAgent {
		if !used[k] && !s.IdentitiesOnly {
			others = append(others, k)
		}
	}
	var all []*key
	for _, k := range slices.Concat(configured, others, files) {
		for _, c := range certificates {
			if sameKey(c.Key, k.public) {
				all = append(all, &key{public: c, name: k.name + " (certificate)", signer: k.signer})
			}
		}
		all = append(all, k)
	}
	return all[:min(len(all), maxKeys)]
}

func sameKey(a, b ssh.PublicKey) bool {
	return a != nil && b != nil && string(a.Marshal()) == string(b.Marshal())
}
