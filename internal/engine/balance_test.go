package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"

	logs "psync/internal/record"
	"psync/internal/report"
	"psync/internal/vfs/faultfs"
)

// randomTree returns a tree in the language of fstest, and the number of its entries that are not directories.
func randomTree(r *rand.Rand) (text string, others int) {
	var b strings.Builder
	dirs, first := []string{""}, ""
	for i := range 4 + r.IntN(30) {
		path := dirs[r.IntN(len(dirs))] + fmt.Sprintf("n%d", i%23)
		if strings.Contains(b.String(), "\t"+path+" ") || strings.Contains(b.String(), "\t"+path+"/") {
			continue
		}
		switch kind := r.IntN(10); {
		case kind < 3:
			dirs = append(dirs, path+"/")
			fmt.Fprintf(&b, "\t%s/ 755\n", path)
			continue
		case kind < 4:
			fmt.Fprintf(&b, "\t%s -> elsewhere%d\n", path, r.IntN(2))
		case kind < 5 && first != "":
			fmt.Fprintf(&b, "\t%s 644 (= %s)\n", path, first)
		default:
			if first == "" {
				first = path
			}
			fmt.Fprintf(&b, "\t%s 644 @2001-02-03T04:05:0%dZ %q\n", path, r.IntN(3), strings.Repeat("x", r.IntN(3)))
		}
		others++
	}
	return b.String(), others
}

// TestSummaryBalances copies random trees over others, with and without faults: the entries found are copied,
// unchanged, skipped or failed, and the events agree.
func TestSummaryBalances(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 1))
		src, found := randomTree(r)
		dst, _ := randomTree(r)
		if r.IntN(4) == 0 {
			dst = ""
		} else if r.IntN(3) == 0 {
			dst = src
		}
		b := newTestbed(t, src, dst)
		b.job.Sync, b.job.HardLinks = r.IntN(3) > 0, r.IntN(2) > 0
		b.job.Policy.Delete.On = r.IntN(2) > 0
		switch r.IntN(6) {
		case 0:
			b.job.Policy.Existing = true
		case 1:
			b.job.Policy.IgnoreExisting = true
		case 2:
			b.job.Policy.Update = true
		case 3:
			b.job.Policy.DelayUpdates = true
		}
		faults := r.IntN(2) > 0
		if faults {
			var mu sync.Mutex
			fail := func(op, _ string) error {
				mu.Lock()
				defer mu.Unlock()
				if op != "close" && r.IntN(12) == 0 {
					return syscall.EACCES
				}
				return nil
			}
			b.job.Sources[0].Dir, b.job.Dest = faultfs.New(b.job.Sources[0].Dir, fail), faultfs.New(b.job.Dest, fail)
		}
		if err := b.run(t.Context()); err != nil {
			continue // it did not start
		}
		complete := !faults && !b.job.Policy.Existing && !b.job.Policy.IgnoreExisting && len(b.record.lines(report.Fail)) == 0 // otherwise directories may be left out
		got := logs.BalanceOf(b.job.Stats.Totals())
		if sum := got.Copied + got.Unchanged + got.Skipped + got.Failed; got.Unfinished != 0 || sum != got.Found || complete && got.Found != int64(found) {
			t.Errorf("seed %d: %+v, of %d entries; options %+v\nsource:\n%sdestination:\n%s%q", seed, got, found, b.job.Policy, src, dst,
				b.record.lines(report.Copy, report.Replace, report.Symlink, report.Link, report.Skip, report.Fail, report.Vanish))
			return
		}
		if !faults {
			if n := len(b.record.lines(report.Copy, report.Replace, report.Symlink, report.Link)); int64(n) != got.Copied {
				t.Errorf("seed %d: %d events, %+v", seed, n, got)
			}
		}
	}
}
