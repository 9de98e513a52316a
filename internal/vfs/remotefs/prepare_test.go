package remotefs

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestMetadataNotPrepared checks that metadata that does not come with entries is asked for.
func TestMetadataNotPrepared(t *testing.T) {
	for name, prepared := range map[string]vfs.Preparation{
		"neither": {},
		"xattrs":  {Xattrs: true},
		"flags":   {Flags: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newScripted(t, func(m wire.Message) []wire.Message {
				switch m.(type) {
				case *wire.Prepare:
					return []wire.Message{&wire.Done{}}
				case *wire.List:
					e := listed("f", 0o644)
					e.Extra = &wire.Extra{}
					return []wire.Message{&wire.Listing{First: true, Last: true, End: true, Entries: []wire.Entry{e}}}
				case *wire.Flags:
					return []wire.Message{&wire.Number{N: 7}}
				case *wire.Xattrs:
					return []wire.Message{&wire.Names{Names: []string{"user.a"}}}
				}
				return nil
			})
			must(t, h.Prepare(prepared))
			d := openDir(t, h, "/")
			var f vfs.Entry
			must(t, d.ReadDir(func(entries []vfs.Entry) error {
				f = entries[0]
				return nil
			}))
			n, err := f.Node(d)
			must(t, err)
			defer vfs.CloseUnwritten(n)
			if flags, err := n.Flags(); err != nil || (flags == 7) == prepared.Flags {
				t.Errorf("flags %d, %v", flags, err)
			}
			if names, err := n.Xattrs(true); err != nil || len(names) != 1 {
				t.Errorf("%q with ACLs, %v", names, err)
			}
			if names, err := n.Xattrs(false); err != nil || (len(names) == 1) == prepared.Xattrs {
				t.Errorf("%q, %v", names, err)
			}
		})
	}
}
