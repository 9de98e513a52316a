package selftest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

func xattrChecks() []check {
	return []check{
		{"extended attributes are set, listed, read and removed", 0, anyone, xattrsWork},
		{"values of extended attributes are kept whole or refused", 0, anyone, xattrSizes},
		{"a hundred extended attributes are all listed", 0, anyone, manyXattrs},
		{"extended attributes of a read-only file need the right to write", 0, anyone, xattrsOfReadOnly},
		{"extended attributes of symbolic links are not those of what they lead to", 0, anyone, xattrsOfLinks},
		{"extended attributes of an open file are those of its name", 0, anyone, xattrsOfOpen},
		{"capabilities stay when times, a name and flags are set", linux, root, capabilities},
		{"attributes of the system are left alone", mac, anyone, systemXattrs},
		{"a quarantine can be copied", mac, anyone, quarantine},
		{"an attribute that is refused is no difference", mac, anyone, refusedXattrs},
	}
}

func xattrsWork(x *box) {
	x.each(func(of string, n vfs.Node) {
		name := x.xattrName("a")
		if _, err := n.Xattr(name); !errors.Is(err, fs.ErrNotExist) {
			if of == "file" {
				x.able(err)
				x.failf("there is %s before it is set", name)
			}
			x.notef("of a %s: %v", of, err)
			return
		}
		for _, value := range []string{"value", "", "\x00\xff\x00", "other"} {
			err := n.SetXattr(name, []byte(value))
			if of != "file" && err != nil {
				x.notef("of a %s: %v", of, err)
				return
			}
			x.able(err)
			got, err := n.Xattr(name)
			x.must(err)
			equal(x, "the value", fmt.Sprintf("%q", got), fmt.Sprintf("%q", value))
		}
		names, err := n.Xattrs(false)
		x.must(err)
		if !slices.Contains(names, name) {
			x.failf("%s is not listed among %s", name, listed(names))
		}
		x.notef("a %s has %s", of, listed(names))
		x.must(n.RemoveXattr(name))
		if err := n.RemoveXattr(name); !errors.Is(err, fs.ErrNotExist) {
			x.failf("removing it again: %v", err)
		}
	})
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

func manyXattrs(x *box) {
	x.file("f", 0o600, "")
	n := x.node("f")
	x.able(n.SetXattr(x.xattrName("0"), nil))
	set := 1
	for ; set < 100; set++ {
		if !x.noted(fmt.Sprintf("number %d", set), n.SetXattr(x.xattrName(fmt.Sprint(set)), nil)) {
			break
		}
	}
	names, err := n.Xattrs(false)
	x.must(err)
	for i := range set {
		if name := x.xattrName(fmt.Sprint(i)); !slices.Contains(names, name) {
			x.failf("%s was set, but is not listed", name)
		}
	}
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
	if on, ok := f.(vfs.Node); ok {
		x.noted("of a file open for writing", on.SetXattr(name, nil))
	}
	x.must(f.Close())
}

func xattrsOfLinks(x *box) {
	x.file("f", 0o600, "")
	x.able(x.dir.Symlink("f", "link"))
	x.able(x.node("f").SetXattr(x.xattrName("file"), nil))
	n := x.node("link")
	err := n.SetXattr(x.xattrName("link"), []byte("value"))
	x.notef("setting one: %v", err)
	names, lerr := n.Xattrs(false)
	x.notef("listing them: %v", lerr)
	if slices.Contains(names, x.xattrName("file")) {
		x.failf("a link shows what it leads to: %s", listed(names))
	}
	if _, err := x.node("f").Xattr(x.xattrName("link")); !errors.Is(err, fs.ErrNotExist) {
		x.failf("what is set on a link is set on what it leads to (%v)", err)
	}
	if err == nil && !slices.Contains(names, x.xattrName("link")) {
		x.failf("a link has %s only", listed(names))
	}
}

func xattrsOfOpen(x *box) {
	f, err := x.dir.Create("f", 0o600)
	x.must(err)
	x.closeLater(f.Close)
	n, ok := f.(vfs.Node)
	if !ok {
		x.skipf("open files have none")
	}
	x.able(n.SetXattr(x.xattrName("a"), []byte("value")))
	got, err := x.node("f").Xattr(x.xattrName("a"))
	x.must(err)
	equal(x, "the value", string(got), "value")
}

// capabilities has the order in which psync sets what a change of owner takes away.
func capabilities(x *box) {
	const name = "security.capability"
	value := "\x01\x00\x00\x02\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" // cap_net_raw, effective
	x.file("f", 0o755, "")
	n := x.node("f")
	has := func() bool {
		got, err := n.Xattr(name)
		return err == nil && string(got) == value
	}
	x.able(n.SetXattr(name, []byte(value)))
	if !has() {
		x.failf("it is not what was set")
	}
	if x.noted("a change of owner", n.Chown(1, 1)) {
		x.notef("it stays when the owner changes: %v", has())
	}
	x.noted("a change of mode", n.Chmod(0o711))
	x.must(n.SetXattr(name, []byte(value)))
	x.must(n.Chtimes(long, long))
	if flags, err := n.Flags(); err == nil {
		x.noted("a change of flags", n.SetFlags(flags|x.harmless()))
	}
	x.must(x.dir.Rename("f", "g"))
	got, err := x.node("g").Xattr(name)
	x.must(err)
	equal(x, "the value", fmt.Sprintf("%q", got), fmt.Sprintf("%q", value))
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

func quarantine(x *box) {
	const name = "com.apple.quarantine"
	x.file("f", 0o600, "")
	n := x.node("f")
	err := n.SetXattr(name, []byte("0081;65000000;psync;"))
	x.able(err)
	got, err := n.Xattr(name)
	x.must(err)
	x.notef("it reads %q", got)
	x.noted("removing it", n.RemoveXattr(name))
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
