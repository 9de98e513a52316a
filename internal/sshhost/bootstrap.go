package sshhost

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"psync/internal/localfs"
)

// sumDigits is how many digits of its SHA-256 the name of an uploaded program has.
const sumDigits = 16

// openBootstrapped starts a session with this program on the host, where it is put first, unless that was done in an
// earlier run. It never replaces what the user has installed.
func (p *peer) openBootstrapped(ctx context.Context) (*Host, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, &noAgentError{reason: err}
	}
	f, err := os.Open(self)
	if err != nil {
		return nil, &noAgentError{reason: err}
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err != nil {
		return nil, &noAgentError{reason: err}
	}
	sum := hex.EncodeToString(h.Sum(nil))
	name := "psync-" + plainVersion(p.options.Version) + "-" + sum[:sumDigits]
	command := func(arguments string) string { return script(`exec "%s/%s" %s`, cacheDir, name, arguments) }
	host, err := p.serve(ctx, command)
	if absent, ok := errors.AsType[*noAgentError](err); !ok || absent.silent {
		return host, err
	}
	if err := p.checkSystem(ctx); err != nil {
		return nil, p.noAgent(err)
	}
	if err := p.upload(ctx, io.NewSectionReader(f, 0, size), name, sum); err != nil {
		return nil, p.noAgent(err)
	}
	return p.serve(ctx, command)
}

// plainVersion returns a version as part of a file name.
func plainVersion(version string) string {
	version, _, _ = strings.Cut(version, " ")
	return strings.Map(func(c rune) rune {
		if c != '.' && c != '-' && !('0' <= c && c <= '9') && !('a' <= c && c <= 'z') {
			return -1
		}
		return c
	}, strings.ToLower(version))
}

// goMachine returns Go's word for a machine that uname -m has printed.
func goMachine(machine string) string {
	switch machine {
	case "x86_64":
		return "amd64"
	case "aarch64":
		return "arm64"
	}
	return machine
}

// checkSystem returns an error unless the host can run this program.
func (p *peer) checkSystem(ctx context.Context) error {
	var said string
	err := p.run(ctx, "uname -sm", nil, func(r *bufio.Reader) (err error) {
		said, err = r.ReadString('\n')
		return err
	})
	if err != nil {
		return fmt.Errorf("its system is not known: %w", err)
	}
	words := strings.Fields(said)
	if here := localfs.Host.Info(localfs.Host{}).System; len(words) != 2 || strings.ToLower(words[0]) != here || goMachine(words[1]) != runtime.GOARCH {
		return fmt.Errorf("its system is %.40q, and this program is for %s on %s", strings.TrimSpace(said), here, runtime.GOARCH)
	}
	return nil
}

// upload writes a program into the cache directory of the host, for its user only. It gets its name when the host has
// the right contents. The name psync, by which later runs find it, leads to it. Then old programs are removed.
func (p *peer) upload(ctx context.Context, program io.Reader, name, sum string) error {
	temp := "." + name + "-" + rand.Text()
	var got string
	err := p.run(ctx, cacheScript(writeProgram(temp)), program, func(r *bufio.Reader) (err error) {
		got, err = sumOf(r, temp)
		return err
	})
	finish := nameProgram(temp, name)
	if err == nil && got != sum {
		err = errors.New("it arrives with other contents")
	}
	if err != nil {
		finish = "rm -f " + temp
	}
	return errors.Join(err, p.run(ctx, cacheScript(finish), nil, nil))
}

// writeProgram returns the commands that write their input into a program of a temporary name, and say its hash.
func writeProgram(temp string) string {
	return fmt.Sprintf(`cat >%[1]s && chmod 700 %[1]s && { sha256sum %[1]s 2>/dev/null || cat %[1]s; }`, temp)
}

// nameProgram returns the commands that give a program its name, and remove old ones.
func nameProgram(temp, name string) string {
	return fmt.Sprintf(`mv -f %[1]s %[2]s && ln -sf %[2]s psync && { %[3]s; }`, temp, name, removeOld())
}

// removeOld returns the commands that remove, from the cache directory of a host, the programs of earlier uploads, and
// what is left of uploads that were cut short, if they have been neither written nor run for 30 days. Programs of other
// versions that are in use so stay. Where a file system does not note when files were read, one that goes after all is
// uploaded again by who needs it, once in 30 days at most, and a server that runs keeps its file. Nothing depends on the
// removal, so its errors are ignored.
func removeOld() string {
	sum := strings.Repeat("[0-9a-f]", sumDigits)
	return "find psync-*-" + sum + " .psync-*-" + sum + "-* -prune -type f -mtime +30 -atime +30 -exec rm -f {} + 2>/dev/null; true"
}

// cacheScript returns the script that runs commands in the cache directory.
func cacheScript(commands string) string {
	return fmt.Sprintf(`umask 077; mkdir -p "%[1]s" && cd "%[1]s" && %[2]s`, cacheDir, commands)
}

// sumOf returns the SHA-256 of the file called name from what a host answers: the output of sha256sum or, if the host
// has no such program, the contents.
func sumOf(r *bufio.Reader, name string) (string, error) {
	const digits = 2 * sha256.Size
	line, err := r.Peek(digits + len("  ") + len(name) + len("\n"))
	if err == nil && string(line[digits:]) == "  "+name+"\n" {
		return string(line[:digits]), nil
	}
	h := sha256.New()
	_, err = io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}
