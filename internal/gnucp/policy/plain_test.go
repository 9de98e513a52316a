package policy

import (
	"testing"

	"psync/internal/content"
)

func TestCopiesPlain(t *testing.T) {
	for _, c := range []struct {
		what string
		o    Options
		want bool
	}{
		{"cp -r", Options{Recursive: true}, true},
		{"cp -a", Options{Recursive: true, Preserve: Preserve{
			Mode: true, Ownership: true, Timestamps: true, Links: true, Xattr: true, Quiet: true,
		}}, true},
		{"links that are followed", Options{Follow: FollowAll}, true},
		{"links that are followed, and hard links", Options{Follow: FollowAll, Preserve: Preserve{Links: true}}, false},
		{"existing files that are asked about", Options{Interactive: true}, true},
		{"backups of existing files", Options{Backup: SimpleBackups}, true},
		{"clones, where the blocks may be shared", Options{Reflink: content.ReflinkAlways}, true},
		{"existing files that are left", Options{Update: UpdateNone}, false},
		{"files under temporary names", Options{Update: UpdateOlder}, false},
		{"no contents", Options{AttributesOnly: true}, false},
		{"links instead of copies", Options{HardLink: true}, false},
		{"symbolic links instead of copies", Options{SymbolicLink: true}, false},
		{"messages", Options{Verbose: true}, false},
		{"more messages", Options{Debug: true}, false},
		{"holes instead of zeros", Options{Sparse: SparseAlways}, false},
		{"zeros instead of holes", Options{Sparse: SparseNever}, false},
		{"a security context", Options{Context: "c"}, false},
		{"the security context of the source", Options{Preserve: Preserve{Context: true}}, false},
		{"not even the mode", Options{Preserve: Preserve{NoMode: true}}, false},
	} {
		if got := c.o.CopiesPlain(); got != c.want {
			t.Errorf("%s: CopiesPlain() = %v, want %v", c.what, got, c.want)
		}
	}
}
