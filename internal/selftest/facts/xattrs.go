package facts

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func xattrChecks() []check.Check {
	return []check.Check{
		{Name: "values of extended attributes are kept whole or refused", Run: xattrSizes},
		{Name: "extended attributes of a read-only file need the right to write", Run: xattrsOfReadOnly},
		{Name: "attributes of the system are left alone", On: check.Mac, Run: systemXattrs},
		{Name: "an attribute that is refused is no difference", On: check.Mac, Run: refusedXattrs},
	}
}

func xattrSizes(t *check.T) {
	t.WriteFile("f", 0o600, "")
	n, name := t.Node("f"), t.XattrName("a")
	t.MustOrSkip(vfs.SetXattr(n, name, nil))
	largest := 0
	for _, size := range []int{1, 255, 1000, 4000, 16 << 10, 64 << 10} {
		value := bytes.Repeat([]byte("v"), size)
		if !t.Try(fmt.Sprintf("%d bytes", size), vfs.SetXattr(n, name, value)) {
			break
		}
		got, err := n.Xattr(name)
		t.Must(err)
		if !bytes.Equal(got, value) {
			t.Fatalf("of %d bytes, %d are read", size, len(got))
		}
		largest = size
	}
	t.Logf("%d bytes are kept", largest)
	t.Try("a name of 200 bytes", vfs.SetXattr(n, t.XattrName(strings.Repeat("n", 200)), nil))
}

// xattrsOfReadOnly shows why psync gives owners write permission before it sets attributes.
func xattrsOfReadOnly(t *check.T) {
	skipUnlessModes(t)
	t.WriteFile("f", 0o444, "")
	n, name := t.Node("f"), t.XattrName("a")
	err := vfs.SetXattr(n, name, []byte("value"))
	if t.User.Privileged() || errors.Is(err, errors.ErrUnsupported) {
		t.MustOrSkip(err)
		return
	}
	t.Logf("without that right: %v", err)
	t.Must(vfs.Chmod(n, 0o644))
	t.MustOrSkip(vfs.SetXattr(n, name, []byte("value"))) // only this call fails on volumes without extended attributes
	t.Must(vfs.Chmod(n, 0o444))
	got, err := n.Xattr(name)
	t.Must(err)
	check.Equal(t, "the value", string(got), "value")
	f, err := t.Dir.OpenFile("open", vfs.Create, 0o444)
	t.Must(err)
	t.Try("of a file open for writing", vfs.SetXattr(f, name, nil))
	t.Must(f.Close())
}

// systemXattrs logs how the system handles attributes that psync does not touch.
func systemXattrs(t *check.T) {
	t.WriteFile("f", 0o600, "")
	n := t.Node("f")
	names, err := n.Xattrs(true)
	t.MustOrSkip(err)
	t.Logf("a new file has %s", check.Listed(names))
	for _, name := range []string{
		"com.apple.provenance", "com.apple.macl", "com.apple.rootless", "com.apple.decmpfs",
		"com.apple.system.Anything", "org.psync.never#N",
	} {
		if fate := t.Profile.Xattr(name); fate&(metadata.Copies|metadata.Deletes) != 0 {
			t.Fatalf("%s would be copied", name)
		}
		t.Logf("setting %s: %v", name, vfs.SetXattr(n, name, []byte("value")))
		t.Logf("removing it: %v", vfs.RemoveXattr(n, name))
	}
	for _, name := range names {
		if t.Profile.Xattr(name)&(metadata.Copies|metadata.IsACL) == metadata.Copies {
			t.Fatalf("a new file has %s, which would be copied", name)
		}
	}
}

// refusedXattrs sets attributes, as a copy does, that may require root or an entitlement.
func refusedXattrs(t *check.T) {
	t.WriteFile("f", 0o600, "")
	n, attr := t.Node("f"), t.Lstat("f")
	t.MustOrSkip(vfs.SetXattr(n, t.XattrName("a"), nil))
	for _, name := range []string{"com.apple.root.installed", "com.apple.quarantine", "com.apple.security.psync"} {
		want := metadata.State{Attr: attr, Xattrs: []metadata.Xattr{{Name: name, Value: []byte("0081;65000000;psync;")}}}
		ops := t.Profile.Plan(nil, metadata.Keep{Xattrs: true}, metadata.PlanContext{User: t.User}, &want, &metadata.State{Attr: attr})
		for i := range ops {
			if !ops[i].Never {
				t.Must(ops[i].Do(n, nil))
			}
		}
		_, err := n.Xattr(name)
		set := metadata.Diff(ops) != 0
		t.Logf("%s: planned %v, taken for set %v, there %v", name, len(ops) > 0, set, err == nil)
		if set && err != nil {
			t.Fatalf("%s was taken for set, but is not there: %v", name, check.Reason(err))
		}
	}
}

// skipUnlessModes skips the check if the volume does not store modes.
func skipUnlessModes(t *check.T) {
	t.WriteFile("mode", 0o640, "")
	err := vfs.Chmod(vfs.In(t.Dir, "mode"), 0o604)
	if got := t.Lstat("mode").Mode; err != nil || got != 0o604 {
		t.Skipf("the volume keeps no modes: 604 becomes %o (%v)", got, err)
	}
	t.Must(t.Dir.Remove("mode", nil))
}
