package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdSSHD makes the host box, and everything that ssh has to know of it, in the directory ssh:
//
//	sshd [OPTION VALUE]...
//
// The file ssh/config is a configuration of ssh, in which box is a server on this machine: each connection starts
// an sshd(8) of its own, with the OPTIONs of sshd_config(5), whose end is the end of the connection. There is
// no network. The file ssh/known_hosts has the key of box, and ssh/id_ed25519 is the user's key. There, the
// environment has the home directory home, whose startup files count, and a PATH without psync: SetEnv is an OPTION,
// too, and replaces it.
func cmdSSHD(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args)%2 != 0 {
		ts.Fatalf("usage: sshd [OPTION VALUE]...")
	}
	dir := ts.MkAbs("ssh")
	if err := makeSSHD(dir, args); err != nil {
		ts.Fatalf("%v", err)
	}
	ts.Check(os.MkdirAll(ts.MkAbs("home"), 0o755))
	ts.Setenv("SSH_AUTH_SOCK", "")
	ts.Setenv("HOME", dir) // ssh finds the user's own by getpwuid(3), but is given a configuration
}

// sshdPath returns the path of sshd, which is started by its absolute path only.
func sshdPath() (string, error) {
	path, err := exec.LookPath("sshd")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/sshd")
	}
	return path, err
}

// makeSSHD writes into a new directory what a server and its client need.
func makeSSHD(dir string, options []string) error {
	sshd, err := sshdPath()
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, key := range []string{"host_key", "id_ed25519"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", in(key)).CombinedOutput(); err != nil {
			return fmt.Errorf("ssh-keygen: %w: %s", err, out)
		}
	}
	hostKey, err := os.ReadFile(in("host_key.pub"))
	if err != nil {
		return err
	}
	usePAM := "no"
	if os.Geteuid() != 0 {
		usePAM = "yes" // otherwise sshd looks for the user's password, which it cannot read, and takes the account for locked
	}
	home := filepath.Join(filepath.Dir(dir), "home")
	server := []string{
		"HostKey " + in("host_key"),
		"AuthorizedKeysFile " + in("id_ed25519.pub"),
		"StrictModes no",
		"UsePAM " + usePAM,
		"PermitRootLogin yes",
		"PidFile none",
		"PrintMotd no",
		"LogLevel QUIET",
		"SetEnv HOME=" + home + " PATH=/usr/bin:/bin",
	}
	subsystem := "Subsystem sftp internal-sftp"
	for i := 0; i < len(options); i += 2 {
		server = append([]string{options[i] + " " + options[i+1]}, server...) // the first value of an option counts
		if strings.EqualFold(options[i], "Subsystem") {
			subsystem = ""
		}
	}
	client := []string{
		"Host box",
		"ProxyCommand " + sshd + " -i -f " + in("sshd_config"),
		"IdentityFile " + in("id_ed25519"),
		"IdentitiesOnly yes",
		"UserKnownHostsFile " + in("known_hosts"),
		"GlobalKnownHostsFile /dev/null",
		"BatchMode yes",
	}
	for name, text := range map[string]string{
		"sshd_config": strings.Join(append(server, subsystem), "\n") + "\n",
		"config":      strings.Join(client, "\n") + "\n",
		"known_hosts": "box " + string(hostKey),
	} {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// canServeSSH reports whether sshd works here, as far as a client needs it. For root it wants a directory of its own,
// /run/sshd. A client that runs commands, which is ssh, runs one.
func canServeSSH(client string, flags ...string) bool {
	_, err := askSSHD(client, flags...)
	return err == nil
}

// hasNoisyShell reports whether the user's shell, in which sshd runs commands, reads startup files of bash or zsh. Others
// read none then.
func hasNoisyShell() bool {
	out, err := askSSHD("ssh")
	return err == nil && strings.Contains(string(out), "noise")
}

// askSSHD returns what a client of an sshd prints, of whose users the startup files print "noise".
func askSSHD(client string, flags ...string) ([]byte, error) {
	base, err := os.MkdirTemp("", "sshd")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(base)
	dir, home := filepath.Join(base, "ssh"), filepath.Join(base, "home")
	if err := errors.Join(makeSSHD(dir, nil), os.Mkdir(home, 0o755)); err != nil {
		return nil, err
	}
	for _, name := range []string{".bashrc", ".zshenv"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte("echo noise\n"), 0o644); err != nil {
			return nil, err
		}
	}
	args := append([]string{"-q", "-F", filepath.Join(dir, "config")}, flags...)
	args = append(args, "box")
	if client == "ssh" {
		args = append(args, "true")
	}
	return exec.Command(client, args...).Output()
}
