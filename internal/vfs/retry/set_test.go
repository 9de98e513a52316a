package retry_test

import (
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
)

// TestSetIsRepeatedWhileNamesAreInDoubt has a server that, after an outage, does not know a name the first time.
func TestSetIsRepeatedWhileNamesAreInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 x\n")
		d, _ := mount(t, s)
		n, err := d.Node("f")
		if err != nil {
			t.Fatal(err)
		}
		defer vfs.CloseUnwritten(n)
		start := time.Now()
		s.from(func(string, string) error {
			if time.Since(start) < 20*time.Second {
				return syscall.EHOSTDOWN
			}
			return nil
		})
		if _, err := vfs.Lstat(d, "f"); err != nil {
			t.Fatal(err)
		}
		for by, on := range map[string]vfs.Settable{"Node": n, "Dir": vfs.In(d, "f")} {
			failed := false
			s.from(func(op, _ string) error {
				if !failed && (op == "fchmod" || op == "chmod") {
					failed = true
					return syscall.ENOENT
				}
				return nil
			})
			if err := vfs.Chmod(on, 0o600); err != nil || !failed {
				t.Errorf("%s: %v, failed once: %v", by, err, failed)
			}
		}
	})
}

// TestSetIsRepeatedAfterAnOutageBehindARefusal loses one change of two, of which the other is never allowed.
func TestSetIsRepeatedAfterAnOutageBehindARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 x\n")
		d, _ := mount(t, s)
		n, err := d.Node("f")
		if err != nil {
			t.Fatal(err)
		}
		defer vfs.CloseUnwritten(n)
		failed := false
		s.from(func(op, _ string) error {
			switch {
			case op == "setxattr":
				return syscall.EACCES
			case op == "fchmod" && !failed:
				failed = true
				return syscall.ECONNABORTED
			}
			return nil
		})
		errs := n.Set([]vfs.Change{{Kind: vfs.XattrChange, Xattr: "user.a"}, {Kind: vfs.ModeChange, Mode: 0o600}})
		if len(errs) != 2 || errs[0] == nil || errs[1] != nil || !failed {
			t.Errorf("the errors are %v", errs)
		}
	})
}
