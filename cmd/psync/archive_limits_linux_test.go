package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/campaign"
)

// TestArchiveDeep copies fixtures with paths that are too long for system calls, by turns as TestArchive does. No other
// tool could compare them.
func TestArchiveDeep(t *testing.T) {
	letUserIn(t)
	v := mountVolumes(t, "tmpfs", "btrfs")
	n, first := uint64(campaign.Size("ARCHIVE", 1, 1)), campaign.Seed("ARCHIVE")
	for seed := first; seed < first+n; seed++ {
		for i, pair := range [][2]string{{"here", "here"}, {"here", "tmpfs"}, {"tmpfs", "btrfs"}} {
			for _, user := range usersOfTurn(i) {
				t.Run(fmt.Sprintf("%s/%s/user=%v/seed=%d", pair[0], pair[1], user, seed), func(t *testing.T) {
					t.Parallel()
					a := newArchive(t, seed, seed+uint64(i), v.get(t, pair[0]), v.get(t, pair[1]), user)
					a.depth = 30
					a.check()
				})
			}
		}
	}
}

// TestArchiveForbidden has an ordinary user copy attributes that only root may set. The others are kept. Each
// lost attribute is reported once, and is an error if the user asked for it by name.
func TestArchiveForbidden(t *testing.T) {
	if !isRoot() {
		t.Skip("needs root")
	}
	letUserIn(t)
	dir := openTempDir(t)
	src := filepath.Join(dir, "src")
	if err := plantForbidden(src); err != nil {
		t.Fatal(err)
	}
	const owner, group, mode = "the owner of 4 entries", "the group of 3 files", "the mode of 3 files"
	const device, capability = "2 devices could not be made", "src/capable|the extended attributes"
	for _, c := range []struct {
		args    string
		errors  []string // said as such
		warning []string
	}{
		{"-a", nil, []string{owner, group, device, mode}},
		{"-a -o", []string{owner}, []string{group, device, mode}},
		{"-a -g", []string{group}, []string{owner, device, mode}},
		{"-a -D", []string{device}, []string{owner, group, mode}},
		{"-a --devices", []string{device}, []string{owner, group, mode}},
		{"-a -X", []string{capability}, []string{owner, group, device, mode}},
		{"-aX", []string{capability}, []string{owner, group, device, mode}},
		{"-aHAXS", []string{capability}, []string{owner, group, device, mode}},
		{"--archive-all", nil, []string{capability, owner, group, device, mode}},
		{"-a --no-o --no-g --no-D", nil, []string{"2 special files", mode}},
		{"-a -o --no-o -g --no-g", nil, []string{device, mode}},
		{"-a -X --no-X", nil, []string{owner, group, device, mode}},
		{"-rlpt", []string{mode}, []string{"2 special files"}},
		{"-rlptX", []string{capability, mode}, []string{"2 special files"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			dst := filepath.Join(dir, strings.ReplaceAll(c.args, " ", ""))
			exit := 0
			if c.errors != nil {
				exit = 23
			}
			for i := range 2 {
				stdout, stderr := forbiddenRun(t, exit, strings.Fields(c.args), src, dst)
				checkReported(t, stderr, c.errors, c.warning)
				if i > 0 && stdout != "" {
					t.Errorf("a second run lists\n%s", stdout)
				}
			}
			got, err := takeInventory(dst, false)
			if err != nil {
				t.Fatal(err)
			}
			checkForbidden(t, got, strings.Contains(c.args, "a") && !strings.Contains(c.args, "--no-X") && strings.ContainsAny(c.args, "X") || c.args == "--archive-all" || c.args == "-rlptX")
		})
	}
}

// plantForbidden makes a tree with entries of other users, and entries that only root can make.
func plantForbidden(src string) error {
	plain := func(name string, owner, group int, mode uint32) error {
		path := filepath.Join(src, name)
		return errors.Join(os.WriteFile(path, []byte(name), 0o600), unix.Lchown(path, owner, group), unix.Chmod(path, mode))
	}
	set := func(name, attr, value string) error {
		return unix.Lsetxattr(filepath.Join(src, name), attr, []byte(value), 0)
	}
	dir := filepath.Join(src, "dir")
	return errors.Join(
		os.Mkdir(src, 0o755), os.Mkdir(dir, 0o755), unix.Lchown(dir, 1000, nobodyUID), unix.Chmod(dir, 0o2755),
		plain("both", 1000, 1000, 0o6755), plain("owner", 1000, nobodyUID, 0o6755), plain("group", nobodyUID, 1000, 0o6755),
		plain("mine", nobodyUID, nobodyUID, 0o6755), plain("root", 0, 0, 0o1644), plain("capable", nobodyUID, nobodyUID, 0o755),
		set("both", "user.kept", "1"), set("both", "trusted.unseen", "1"), set("dir", "user.kept", "1"),
		set("capable", "security.capability", "\x01\x00\x00\x02\x00\x24\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
		unix.Mknod(filepath.Join(src, "char"), unix.S_IFCHR|0o644, int(unix.Mkdev(1, 3))),
		unix.Mknod(filepath.Join(src, "block"), unix.S_IFBLK|0o644, int(unix.Mkdev(7, 200))),
		unix.Lchown(src, nobodyUID, nobodyUID),
	)
}

func forbiddenRun(t *testing.T, exit int, args []string, src, dst string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command("asuser", slices.Concat([]string{"psync", "sync", "-i"}, args, []string{src + "/", dst})...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != exit {
		t.Errorf("exit code %d, want %d:\n%s", got, exit, err.String())
	}
	return out.String(), err.String()
}

// checkReported fails the test unless stderr has one line for each of errs and warnings, and no other lines
// except notes.
func checkReported(t *testing.T, stderr string, errs, warnings []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "psync: note:") })
	said := func(what string, warning bool) {
		found := slices.IndexFunc(lines, func(l string) bool {
			return regexp.MustCompile(what).MatchString(l) && strings.HasPrefix(l, "psync: warning:") == warning
		})
		if found < 0 {
			t.Errorf("%q is not said, warning: %v:\n%s", what, warning, stderr)
			return
		}
		lines = slices.Delete(lines, found, found+1)
	}
	for _, what := range errs {
		said(what, false)
	}
	for _, what := range warnings {
		said(what, true)
	}
	if len(lines) > 0 {
		t.Errorf("more is said:\n%s", strings.Join(lines, "\n"))
	}
}

// checkForbidden checks that set-id bits are kept only where they grant the same rights as in the source.
func checkForbidden(t *testing.T, got inventory, xattrs bool) {
	t.Helper()
	modes := map[string]uint32{"both": 0o755, "owner": 0o2755, "group": 0o4755, "mine": 0o6755, "root": 0o1644, "capable": 0o755, "dir": 0o2755}
	for name, mode := range modes {
		i := got[name]
		if i == nil {
			t.Errorf("%s is not there", name)
			continue
		}
		if i.st.Mode&0o7777 != mode || i.st.Uid != nobodyUID || i.st.Gid != nobodyUID {
			t.Errorf("%s: mode %04o of %d:%d, want %04o", name, i.st.Mode&0o7777, i.st.Uid, i.st.Gid, mode)
		}
		if want := name == "both" || name == "dir"; xattrs && want != (i.attrs != "") {
			t.Errorf("%s: attributes %q", name, i.attrs)
		}
	}
}
