package sshhost

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rcFiles are the startup files that the shells read when sshd has them run a command, below the home directory.
var rcFiles = []string{".bashrc", ".zshenv", ".config/fish/config.fish", ".cshrc"}

// eachShell runs a test for every shell that a user may have, with the directory that is the user's home. Its startup
// files print something. run runs a command as sshd does, with an input, and returns what it prints.
func eachShell(t *testing.T, test func(t *testing.T, home string, run func(command, input string) (string, error))) {
	for _, shell := range []string{"sh", "bash", "dash", "zsh", "fish", "tcsh", "csh", "ksh"} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("no %s here", shell)
			}
			home := t.TempDir()
			for _, name := range rcFiles {
				file := filepath.Join(home, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("echo noise\n"), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			test(t, home, func(command, input string) (string, error) {
				c := exec.CommandContext(t.Context(), path, "-c", command)
				c.Dir = home
				c.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "SSH_CLIENT=::1 1 22"}
				c.Stdin = strings.NewReader(input)
				out, err := c.Output()
				return string(out), err
			})
		})
	}
}

// putProgram makes a program that prints its arguments.
func putProgram(t *testing.T, path string) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("#!/bin/sh\necho \"psync $*\"\n"), 0o700))
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryShellReadsScriptsAlike(t *testing.T) {
	command := script(`a=1; PATH=$PATH:/x; echo "%s/$a" ""x`, "$HOME/.cache")
	eachShell(t, func(t *testing.T, home string, run func(command, input string) (string, error)) {
		if got, err := run(command, ""); err != nil || !strings.HasSuffix(got, home+"/.cache/1 x\n") {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestEveryShellFindsPsync(t *testing.T) {
	arguments := serveArguments([]byte{0, 255, 254, 62, 63})
	eachShell(t, func(t *testing.T, home string, run func(command, input string) (string, error)) {
		for name, command := range map[string]string{"": serveCommand("")(arguments), "~/my/psync-1.2": serveCommand("~/my/psync-1.2")(arguments)} {
			got, err := run(command, "")
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok || name == "" && exit.ExitCode() != 127 { // tcsh itself says 1
				t.Errorf("%q is not there: %q, %v", name, got, err)
			}
		}
		putProgram(t, filepath.Join(home, "my", "psync-1.2"))
		putProgram(t, filepath.Join(home, ".cache", "psync", "psync"))
		for _, path := range []string{"", "~/my/psync-1.2"} {
			if got, err := run(serveCommand(path)(arguments), ""); err != nil || !strings.HasSuffix(got, "psync "+arguments+"\n") {
				t.Errorf("%q: %q, %v", path, got, err)
			}
		}
	})
}

func TestEveryShellPutsPsyncThere(t *testing.T) {
	const program = "#!/bin/sh\n"
	sum := sha256.Sum256([]byte(program))
	digits := hex.EncodeToString(sum[:])
	name := "psync-1.2-" + digits[:sumDigits]
	temp := "." + name + "-ABC"
	eachShell(t, func(t *testing.T, home string, run func(command, input string) (string, error)) {
		cache := filepath.Join(home, ".cache", "psync")
		old := filepath.Join(cache, "psync-1.1-0123456789abcdef")
		putProgram(t, old)
		if err := os.Chtimes(old, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if got, err := run(script("%s", cacheScript(writeProgram(temp))), program); err != nil || !strings.Contains(got, digits+"  "+temp+"\n") && !strings.HasSuffix(got, program) {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := run(script("%s", cacheScript(nameProgram(temp, name))), ""); err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := os.ReadFile(filepath.Join(cache, "psync")); err != nil || string(got) != program {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := os.Lstat(old); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an old program is still there: %v", err)
		}
	})
}
