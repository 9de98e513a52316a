package engine

import (
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

func TestInPlace(t *testing.T) {
	tests := []struct{ name, src, dst string }{
		{"longer", "f 644 @2001-01-01T00:00:00Z contents", "f 644 old"},
		{"shorter", "f 644 @2001-01-01T00:00:00Z new", "f 644 \"old contents\""},
		{"empty", "f 644 @2001-01-01T00:00:00Z", "f 644 old"},
		{"large", "f 644 @2001-01-01T00:00:00Z \"0123456789\"*100000", "f 644 \"9876543210\"*50000"},
		{"other mode", "f 600 @2001-01-01T00:00:00Z contents", "f 644 old"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := "./ 755 @2001-01-01T00:00:00Z\n"
			b := newSync(t, root+tt.src, tt.dst+"\n"+root)
			if err := b.job.Dest.Link(b.job.Dest, "f", "other"); err != nil {
				t.Fatal(err)
			}
			was := id(t, b.job.Dest, "f")
			b.job.InPlace = true
			b.mustRun(t)
			if id(t, b.job.Dest, "f") != was || id(t, b.job.Dest, "other") != was {
				t.Error("the file was replaced")
			}
			removeFile(t, b.job.Dest, "other")
			if err := vfs.Chtimes(vfs.In(b.job.Dest, "."), fsTime, fsTime); err != nil {
				t.Fatal(err)
			}
			b.wantEqual(t)
		})
	}
}

func TestInPlaceReplacesOtherKinds(t *testing.T) {
	b := newSync(t, "f 644 x\ng 644 x\nl -> x\n", "f -> precious\ng/ 755\nl 644 old\nprecious 644 x\n")
	b.job.InPlace = true
	b.mustRun(t)
	b.wantTree(t, "f 644 x\ng 644 x\nl -> x\nprecious 644 x\n")
}

// TestInPlaceFileThatBecomesAnotherKind changes the destination between looking at it and opening it.
func TestInPlaceFileThatBecomesAnotherKind(t *testing.T) {
	b := newSync(t, "f 644 x\n", "f 644 old\nprecious 644 x\n")
	b.job.InPlace = true
	plain := b.job.Dest
	b.job.Dest = before(plain, "rewrite", "f", func() { fstest.Fill(t, plain, "f -> precious\n") })
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"fail DST/f"}, report.Fail)
	b.wantTree(t, "f -> precious\nprecious 644 x\n")
}
