// Package keys makes the certificates, credentials and configuration of a server of NATS that hosts of a job share.
package keys

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"text/template"
	"time"

	"github.com/nats-io/nkeys"

	"psync/internal/cluster/server"
)

// The files that are for hosts. The others are for the server.
const (
	CA      = "ca.pem"
	Mover   = "mover.nk"
	Watcher = "watcher.nk"
)

const (
	serverCert = "server.pem"
	serverKey  = "server-key.pem"
	validity   = 10 * 365 * 24 * time.Hour
)

// configuration is that of the server. Movers do everything for a job but remove what it has written. Watchers read: no subject of a
// job is among those that they may publish to, nor is one that changes a stream.
var configuration = template.Must(template.New("").Parse(`# By psync-cluster keys, for psync-cluster serve. A stock nats-server reads it, too: nats-server -c {{printf "%q" .Config}}
listen: "0.0.0.0:4222"
tls { cert_file: {{printf "%q" .Cert}}, key_file: {{printf "%q" .Key}} }
jetstream { store_dir: {{printf "%q" .Store}}, sync_interval: always }
authorization {
  reads = ["$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.INFO.*.*", "$JS.API.CONSUMER.MSG.NEXT.*.*"]
  users = [
    { nkey: {{.Mover}}, permissions: { publish: { allow: ["psync.*.*", "$JS.API.STREAM.CREATE.*", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.INFO.*.*", "$JS.API.CONSUMER.MSG.NEXT.*.*", "$JS.API.CONSUMER.DELETE.*.*"] }, subscribe: { allow: ["_INBOX.>"] } } }
    { nkey: {{.Watcher}}, permissions: { publish: { allow: $reads }, subscribe: { allow: ["_INBOX.>"] } } }
  ]
}
`))

// Make writes everything into a directory, which it makes if need be. The certificate is for hosts, names or addresses, and
// for this one. It replaces nothing: hosts would have what does not fit any more.
func Make(dir string, hosts []string) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	cert, key, ca, err := certificates(hosts)
	if err != nil {
		return err
	}
	mover, moverSeed, err := credentials()
	if err != nil {
		return err
	}
	watcher, watcherSeed, err := credentials()
	if err != nil {
		return err
	}
	config := path(server.ConfigName)
	err = errors.Join(
		write(path(CA), ca), write(path(serverCert), cert), write(path(serverKey), key),
		write(path(Mover), moverSeed), write(path(Watcher), watcherSeed),
	)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(config, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(configuration.Execute(f, map[string]string{
		"Config": config, "Cert": path(serverCert), "Key": path(serverKey), "Store": path("jetstream"),
		"Mover": mover, "Watcher": watcher,
	}), f.Close())
}

func write(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// credentials returns a public key and its seed.
func credentials() (public string, seed []byte, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", nil, err
	}
	if public, err = pair.PublicKey(); err != nil {
		return "", nil, err
	}
	seed, err = pair.Seed()
	return public, append(seed, '\n'), err
}

// certificates returns the certificate of a server, its key, and the certificate by which it is signed. The key of that one
// is not kept: it could sign others, and new ones are made as fast.
func certificates(hosts []string) (cert, key, ca []byte, err error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, nil, err
	}
	ownKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, nil, err
	}
	root, own := certificate("psync-cluster CA"), certificate("psync-cluster")
	root.IsCA, root.KeyUsage = true, x509.KeyUsageCertSign
	own.KeyUsage, own.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		if ip := net.ParseIP(host); ip != nil {
			own.IPAddresses = append(own.IPAddresses, ip)
		} else {
			own.DNSNames = append(own.DNSNames, host)
		}
	}
	signedRoot, err := x509.CreateCertificate(rand.Reader, root, root, &caKey.PublicKey, caKey)
	if err != nil {
		return nil, nil, nil, err
	}
	signed, err := x509.CreateCertificate(rand.Reader, own, root, &ownKey.PublicKey, caKey)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("a certificate for %q: %w", hosts, err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(ownKey)
	return encode("CERTIFICATE", signed), encode("PRIVATE KEY", der), encode("CERTIFICATE", signedRoot), err
}

func certificate(name string) *x509.Certificate {
	now := time.Now()
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // never fails
	return &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, SerialNumber: serial,
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(validity), // clocks may differ
		BasicConstraintsValid: true,
	}
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
