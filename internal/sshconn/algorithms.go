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

// algorithms returns the algorithms to offer for encryption and key exchange.
//
// The output of "ssh -G" does not show which values are defaults, and its order is not the fastest: OpenSSH
// prefers ChaCha20, which takes twice the time of AES-GCM on processors with AES instructions. So the
// configuration determines what is allowed, and x/crypto/ssh determines the order.
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

// allowed returns the names of ours that are in list. A nil list allows all.
func allowed(ours, list []string) []string {
	if list == nil {
		return ours
	}
	return slices.DeleteFunc(slices.Clone(ours), func(name string) bool { return !slices.Contains(list, name) })
}

// preferred returns the ciphers, with ChaCha20 first on processors without AES instructions.
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

// knownKeys reports what is known about the keys of a host.
type knownKeys interface {
	KnowsType(keyType string) bool // a key of that type is known
	KnowsAuthority() bool          // an authority that signs its keys is known
}

// usualHostKeys are the host key algorithms that ssh offers by default, in its order, followed by the others.
var usualHostKeys = []string{
	ssh.CertAlgoED25519v01, ssh.CertAlgoECDSA256v01, ssh.CertAlgoECDSA384v01, ssh.CertAlgoECDSA521v01, ssh.CertAlgoRSASHA512v01, ssh.CertAlgoRSASHA256v01,
	ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256,
}

// hostKeyOrder returns the host key algorithms to offer, in the order of the configuration or of ssh, so that an
// unknown host shows the same key as to ssh. Algorithms of known keys come first, and certificates if an authority is
// known, so that the host shows a key that can be checked. The others follow, so that a changed key can be
// distinguished from a lack of common algorithms.
func hostKeyOrder(s *config.Host, known knownKeys) ([]string, error) {
	ours := ssh.SupportedAlgorithms().HostKeys
	list := s.HostKeyAlgorithms
	if list == nil {
		list = append(slices.Clone(usualHostKeys), ours...)
	}
	var first, rest []string
	for _, name := range list {
		keyType, certificate := strings.CutSuffix(name, "-cert-v01@openssh.com")
		if strings.HasPrefix(keyType, "rsa-sha2-") {
			keyType = ssh.KeyAlgoRSA
		}
		switch {
		case !slices.Contains(ours, name) || slices.Contains(first, name) || slices.Contains(rest, name):
		case certificate && known.KnowsAuthority(), !certificate && known.KnowsType(keyType):
			first = append(first, name)
		default:
			rest = append(rest, name)
		}
	}
	if len(first)+len(rest) == 0 {
		return nil, &hosterror.NeedsSSHError{What: "none of the types of host keys that the configuration allows"}
	}
	return append(first, rest...), nil
}
