package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"psync/internal/sshconn/printable"
)

// Lookup determines what the configuration says about a target. command is the ssh command with its options.
// file, if not "", is read instead of the files of the user and the system.
func Lookup(ctx context.Context, t Target, command []string, file string) (*Host, error) {
	home, err := homeDir()
	if err != nil {
		return nil, err
	}
	var k keywords
	if _, lookErr := exec.LookPath(command[0]); lookErr == nil {
		k, err = askSSH(ctx, t, command, file)
	} else {
		k, err = readFiles(t, file, home)
	}
	if err != nil {
		return nil, err
	}
	return newHost(t.Host, k, home, os.Getenv("SSH_AUTH_SOCK"))
}

// askSSH runs ssh -G to evaluate the configuration.
func askSSH(ctx context.Context, t Target, command []string, file string) (keywords, error) {
	args := append(Args(t, command, file), "-T", "-G", "--", t.Host)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		err = errors.New(printable.Text(stderr.String()))
	}
	if err != nil {
		return nil, fmt.Errorf("the configuration of ssh: %w", err)
	}
	return parseKeywords(out), nil
}

// Args returns the ssh command for a target, without the command to run there. The options for the target
// come first, because ssh uses the first value that it gets.
func Args(t Target, command []string, file string) []string {
	args := []string{command[0]}
	if t.User != "" {
		args = append(args, "-l", t.User)
	}
	if t.Port != 0 {
		args = append(args, "-p", strconv.Itoa(t.Port))
	}
	if file != "" {
		args = append(args, "-F", file)
	}
	return append(args, command[1:]...)
}

// fileKeywords are the supported keywords. Only IdentityFile and CertificateFile may be given several times.
var fileKeywords = []string{
	"HostName", "User", "Port", "HostKeyAlias", "UserKnownHostsFile", "GlobalKnownHostsFile", "HashKnownHosts",
	"StrictHostKeyChecking", "IdentityFile", "CertificateFile", "IdentitiesOnly", "IdentityAgent", "BatchMode",
	"PubkeyAuthentication", "PasswordAuthentication", "KbdInteractiveAuthentication", "PreferredAuthentications", "AddressFamily",
	"ProxyJump", "ProxyCommand", "ConnectTimeout", "ServerAliveInterval", "ServerAliveCountMax", "Ciphers", "MACs",
	"KexAlgorithms", "HostKeyAlgorithms", "CASignatureAlgorithms", "PKCS11Provider", "KnownHostsCommand", "RevokedHostKeys", "BindAddress",
	"BindInterface", "HostbasedAuthentication", "ProxyUseFdpass",
}

// readFiles evaluates the configuration without ssh. What it cannot evaluate, such as Match criteria that run
// commands, is an error.
func readFiles(t Target, file, home string) (keywords, error) {
	files := []string{file}
	if file == "" {
		files = []string{home + "/.ssh/config", "/etc/ssh/ssh_config"}
	}
	k := make(keywords)
	if t.User != "" {
		k["user"] = []string{t.User}
	}
	if t.Port != 0 {
		k["port"] = []string{strconv.Itoa(t.Port)}
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) && file == "" {
			continue
		}
		if err == nil {
			err = k.add(text, t.Host, includeDir(name, home))
		}
		if err != nil {
			return nil, fmt.Errorf("the configuration of ssh in %s: %w", name, err)
		}
	}
	k.setDefaults(t.Host)
	return k, nil
}

// includeDir returns the directory of the files that a configuration file includes by relative names.
func includeDir(name, home string) string {
	if strings.HasPrefix(name, "/etc/ssh/") {
		return "/etc/ssh"
	}
	return home + "/.ssh"
}

// add adds values for a host from the text of a file, except for keywords that already have values. Relative names of
// included files are below dir.
func (k keywords) add(text []byte, host, dir string) error {
	if err := k.read(text, host, dir, 0); err != nil {
		return err
	}
	for _, word := range []string{"ciphers", "macs", "kexalgorithms", "hostkeyalgorithms", "casignaturealgorithms"} {
		if v := k.first(word); strings.HasPrefix(v, "+") || strings.HasPrefix(v, "^") {
			delete(k, word) // Everything that x/crypto/ssh supports is already allowed.
		} else if strings.HasPrefix(v, "-") {
			return fmt.Errorf("%s %q needs ssh to be evaluated", word, v)
		}
	}
	return nil
}

func (k keywords) setDefaults(host string) {
	set := func(word string, values ...string) {
		if len(k[word]) == 0 {
			k[word] = values
		}
	}
	if name := k.hostName(host); name != "" {
		k["hostname"] = []string{name}
	}
	set("user", localUser())
	set("identityfile", "~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk", "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk")
	set("userknownhostsfile", "~/.ssh/known_hosts ~/.ssh/known_hosts2")
	set("globalknownhostsfile", "/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2")
}
