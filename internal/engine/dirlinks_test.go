package engine

import (
	"fmt"
	"testing"

	"psync/internal/plan"
	"psync/internal/report"
)

// TestKeepDirlinksDelete has links in the destination that lead to directories which the source lacks or also has.
func TestKeepDirlinksDelete(t *testing.T) {
	const dir = "dir/f 644 x\n"
	for _, tt := range []struct {
		name, src, dst string
		set            func(o *Options)
		want           string
		reported       []string
		again          string // the result of a second run, if that differs
	}{
		{
			name: "what it leads to",
			src:  dir, dst: "dir -> real\nreal/f 644 x\nreal/gone 644 y\ngone/f 644 z\n",
			want: "dir -> real\nreal/ 755\nreal/f 644 x\n",
		},
		{
			name: "what it leads to is within another directory",
			src:  dir, dst: "dir -> store/one/real\nstore/one/real/g 644 x\nstore/one/gone 644 x\nstore/gone/f 644 x\n",
			want: "dir -> store/one/real\nstore/ 755\nstore/one/ 755\nstore/one/real/ 755\nstore/one/real/f 644 x\n",
		},
		{
			name: "it leads out",
			src:  "a/" + dir, dst: "a -> ../outside\ngone/f 644 z\n",
			want: "a/ 755\na/dir/ 755\na/dir/f 644 x\n",
		},
		{
			name: "two directories in one",
			src:  "lib/f 644 x\nusr/lib/g 644 y\n", dst: "lib -> usr/lib\nusr/lib/gone 644 z\n",
			want:     "lib -> usr/lib\nusr/ 755\nusr/lib/ 755\nusr/lib/f 644 x\nusr/lib/g 644 y\nusr/lib/gone 644 z\n",
			reported: []string{"fail DST/lib", "fail DST/usr/lib"},
		},
		{
			name: "the root itself",
			src:  dir + "g 644 x\n", dst: "dir -> .\ngone 644 x\n",
			want:     "dir -> .\nf 644 x\ng 644 x\ngone 644 x\n",
			reported: []string{"fail DST", "fail DST/dir"},
		},
		{
			name: "a file takes the place",
			src:  dir + "real 644 x\n", dst: "dir -> real\nreal/ 755\n",
			want:     "dir -> real\nreal/ 755\nreal/f 644 x\n",
			reported: []string{"fail DST/real"},
		},
		{
			name: "a link on the way goes",
			src:  dir, dst: "dir -> other\nother -> real\nreal/ 755\n",
			want:     "dir -> other\nreal/ 755\nreal/f 644 x\n",
			reported: []string{"fail DST/dir"},
			again:    "dir/ 755\ndir/f 644 x\n",
		},
		{
			name: "with a limit",
			src:  dir, dst: "dir -> real\nreal/g 644 x\ngone/f 644 z\n",
			set:  func(o *Options) { o.Delete.Max = &plan.Limit{N: 10} },
			want: "dir -> real\nreal/ 755\nreal/f 644 x\n",
		},
		{
			name: "a dry run",
			src:  dir, dst: "dir -> real\nreal/ 755\ngone/f 644 z\n",
			set:  func(o *Options) { o.DryRun = true },
			want: "dir -> real\ngone/ 755\ngone/f 644 z\nreal/ 755\n",
		},
	} {
		for _, threads := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s, %d threads", tt.name, threads), func(t *testing.T) {
				b := newSync(t, tt.src, tt.dst)
				b.job.Threads = threads
				b.job.Delete.On = true
				b.job.Links.KeepDirlinks = true
				if tt.set != nil {
					tt.set(&b.job.Options)
				}
				run := func(want string, reported []string) {
					t.Helper()
					if err := b.run(t.Context()); err != nil {
						t.Fatal(err)
					}
					b.wantEvents(t, reported, report.Fail, report.Vanish)
					b.wantTree(t, want)
				}
				run(tt.want, tt.reported)
				if tt.again == "" {
					run(tt.want, tt.reported)
				} else {
					run(tt.again, nil)
				}
			})
		}
	}
}
