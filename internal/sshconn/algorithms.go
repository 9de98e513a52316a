package sshconn

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/cpu"

	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
)

// algorithms returns the ones to offer for encryption and key exchange.
//
// What "ssh -G" prints cannot be told from its defaults, and its order is not the fastest: OpenSSH
// prefers ChaCha20, which takes twice the time of AES-GCM on processors that have instructions for
// AES. So the configuration decides what is allowed, and the order is that of x/crypto/ssh.
func algorithms(s *config.Host) (ssh.Config, error) {
	ours := ssh.SupportedAlgorithms()
	var c ssh.Config
	c.Ciphers = allowed(preferred(ours.Ciphers, hasAES()), s.Ciphers)
	c.MACs = allowed(ours.MACs, s.MACs)
	c.KeyExchanges = allowed(ours.KeyExchanges, s.KeyExchanges)
	for _, list := range []struct {
		what  string
		names []string
	}{{"ciphers", c.Ciphers}, {"message authentication codes", c.MACs}, {"key exchanges", c.KeyExchanges}} {
		if len(list.names) == 0 {
			return c, &hosterror.NeedsSSHError{What: fmt.Sprintf("none of the %s that the configuration allows", list.what)}
		}
	}
	return c, nil
}

// allowed returns the names of ours that are in the list, which allows all if it is nil.
func allowed(ours, list []string) []string {
	if list == nil {
		return ours
	}
	return slices.DeleteFunc(slices.Clone(ours), func(name string) bool { return !slices.Contains(list, name) })
}

// preferred returns the ciphers with ChaCha20 first where there are no instructions for AES, and in
// their order elsewhere.
func preferred(ciphers []string, aes bool) []string {
	if i := slices.Index(ciphers, ssh.CipherChaCha20Poly1305); i >= 0 && !aes {
		ciphers = slices.Insert(slices.Delete(ciphers, i, i+1), 0, ssh.CipherChaCha20Poly1305)
	}
	return ciphers
}

func hasAES() bool {
	switch runtime.GOARCH {
	case "amd64", "386":
		return cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ
	case "arm64":
		return cpu.ARM64.HasAES && cpu.ARM64.HasPMULL
	case "s390x", "ppc64le":
		return true
	}
	return false
}

// hostKeyOrder returns the ones to offer for the key of a host. Those of keys that are known come
// first, so that the host shows a key that is known; the others follow, so that a host that has
// changed its key is told from one that has nothing in common with us. Certificates are wanted only
// from hosts that an authority is known for.
func hostKeyOrder(s *config.Host, known []string) ([]string, error) {
	all := allowed(ssh.SupportedAlgorithms().HostKeys, s.HostKeyAlgorithms)
	var first, rest []string
	for _, name := range known {
		if slices.Contains(all, name) {
			first = append(first, name)
		}
	}
	for _, name := range all {
		if !slices.Contains(first, name) && !strings.Contains(name, "-cert-") {
			rest = append(rest, name)
		}
	}
	if len(first)+len(rest) == 0 {
		return nil, &hosterror.NeedsSSHError{What: "none of the types of host keys that the configuration allows"}
	}
	return append(first, rest...), nil
}
