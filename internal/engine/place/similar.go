package place

import (
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/tempname"
	"psync/internal/vfs"
)

// findSimilar returns the name of the file in the destination of d that most likely has much of the data of a new file,
// or "". It takes a listing, and where that reports no attributes, a look at each file; both are little beside the data.
func findSimilar(d *job.Dir, name string, want vfs.Attr) string {
	s := plan.Similar{Name: name, Want: want}
	err := d.Dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if _, _, temporary := tempname.Parse(e.Name); temporary || e.Type != 0 || e.Name == name {
				continue
			}
			if e.Facts != nil {
				s.Add(e.Name, e.Facts.Attr)
			} else if attr, err := vfs.Lstat(d.Dst, e.Name); err == nil {
				s.Add(e.Name, attr)
			}
		}
		return nil
	})
	if err != nil {
		return ""
	}
	return s.Best
}
