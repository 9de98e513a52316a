package selftest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"psync/internal/metadata"
)

func xattrChecks() []check {
	return []check{
		{"values of extended attributes are kept whole or refused", 0, anyone, xattrSizes},
		{"extended attributes of a read-only file need the right to write", 0, anyone, xattrsOfReadOnly},
		{"attributes of the system are left alone", mac, anyone, systemXattrs},
		{"an attribute that is refused is no difference", mac, anyone, refusedXattrs},
	}
}

func xattrSizes(x *box) {
	x.file("f", 0o600, "")
	n, name := x.node("f"), x.xattrName("a")
	x.able(n.SetXattr(name, nil))
	largest := 0
	for _, size := range []int{1, 255, 1000, 4000, 16 << 10, 64 << 10} {
		value := bytes.Repeat([]byte("v"), size)
		if !x.noted(fmt.Sprintf("%d bytes", size), n.SetXattr(name, value)) {
			break
		}
		got, err := n.Xattr(name)
		x.must(err)
		if !bytes.Equal(got, value) {
			x.failf("of %d bytes, %d are read", size, len(got))
		}
		largest = size
	}
	x.notef("%d bytes are kept", largest)
	x.noted("a name of 200 bytes", n.SetXattr(x.xattrName(strings.Repeat("n", 200)), nil))
}

// xattrsOfReadOnly is why psync lets owners write before it sets attributes.
func xattrsOfReadOnly(x *box) {
	x.hasModes()
	x.file("f", 0o444, "")
	n, name := x.node("f"), x.xattrName("a")
	err := n.SetXattr(name, []byte("value"))
	if x.User.Privileged() || errors.Is(err, errors.ErrUnsupported) {
		x.able(err)
		return
	}
	x.notef("without that right: %v", err)
	x.must(n.Chmod(0o644))
	x.able(n.SetXattr(name, []byte("value"))) // only now it is told where there are none
	x.must(n.Chmod(0o444))
	got, err := n.Xattr(name)
	x.must(err)
	equal(x, "the value", string(got), "value")
	f, err := x.dir.Create("open", 0o444)
	x.must(err)
	x.noted("of a file open for writing", f.SetXattr(name, nil))
	x.must(f.Close())
}

// systemXattrs notes what the system says to attributes that psync does not touch.
func systemXattrs(x *box) {
	x.file("f", 0o600, "")
	n := x.node("f")
	names, err := n.Xattrs(true)
	x.able(err)
	x.notef("a new file has %s", listed(names))
	for _, name := range []string{
		"com.apple.provenance", "com.apple.macl", "com.apple.rootless", "com.apple.decmpfs",
		"com.apple.system.Anything", "org.psync.never#N",
	} {
		if fate := x.Profile.Xattr(name); fate&(metadata.Copies|metadata.Deletes) != 0 {
			x.failf("%s would be copied", name)
		}
		x.notef("setting %s: %v", name, n.SetXattr(name, []byte("value")))
		x.notef("removing it: %v", n.RemoveXattr(name))
	}
	for _, name := range names {
		if x.Profile.Xattr(name)&(metadata.Copies|metadata.IsACL) == metadata.Copies {
			x.failf("a new file has %s, which would be copied", name)
		}
	}
}

// refusedXattrs sets, as a copy does, what may take root or an entitlement.
func refusedXattrs(x *box) {
	x.file("f", 0o600, "")
	n, attr := x.node("f"), x.attr("f")
	x.able(n.SetXattr(x.xattrName("a"), nil))
	for _, name := range []string{"com.apple.root.installed", "com.apple.quarantine", "com.apple.security.psync"} {
		want := metadata.State{Attr: attr, Xattrs: []metadata.Xattr{{Name: name, Value: []byte("0081;65000000;psync;")}}}
		ops := x.Profile.Plan(nil, metadata.Keep{Xattrs: true}, metadata.PlanContext{User: x.User}, &want, &metadata.State{Attr: attr})
		for i := range ops {
			if !ops[i].Never {
				x.must(ops[i].Do(n, nil))
			}
		}
		_, err := n.Xattr(name)
		set := metadata.Diff(ops) != 0
		x.notef("%s: planned %v, taken for set %v, there %v", name, len(ops) > 0, set, err == nil)
		if set && err != nil {
			x.failf("%s was taken for set, but is not there: %v", name, reason(err))
		}
	}
}

// hasModes skips the check where modes are made up.
func (x *box) hasModes() {
	x.file("mode", 0o640, "")
	err := x.dir.Chmod("mode", 0o604)
	if got := x.attr("mode").Mode; err != nil || got != 0o604 {
		x.skipf("the volume keeps no modes: 604 becomes %o (%v)", got, err)
	}
	x.must(x.dir.Remove("mode"))
}
