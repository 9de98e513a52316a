package remotefs

import (
	"testing"
	"testing/synctest"

	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/engine/job"
	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// detailed are events with attributes.
type detailed struct{ enginetest.Events }

func (*detailed) Wants() report.Wants {
	return report.Wants{Steps: true, Details: report.DetailAttrs}
}

// TestRequestsOfLookups counts the requests for what a run looks up of each file in addition to its destination.
func TestRequestsOfLookups(t *testing.T) { synctest.Test(t, testRequestsOfLookups) }

func testRequestsOfLookups(t *testing.T) {
	h, requests := newCountedHost(t)
	local := openDir(t, localfs.Host{}, t.TempDir())
	fill(t, local)
	remote := openDir(t, h, realDir(t))
	syncInto(t, local, remote, true, h.Info().User)
	for _, c := range []struct {
		name     string
		from, to vfs.Dir
		set      func(*engine.Options)
		each     float64 // the most requests for a file, those for its directory included
	}{
		{"link-dest", local, openDir(t, h, realDir(t)), func(o *engine.Options) {
			o.Alternatives = job.Alternatives{Kind: plan.LinkDest, Dirs: []vfs.Dir{remote}}
		}, 2.25},
		{"compare-dest", local, openDir(t, h, realDir(t)), func(o *engine.Options) {
			o.Alternatives = job.Alternatives{Kind: plan.CompareDest, Dirs: []vfs.Dir{remote}}
		}, 1.25},
		{"events with attributes", remote, openDir(t, localfs.Host{}, t.TempDir()), nil, 3.1},
		{"backups", local, remote, func(o *engine.Options) {
			o.Policy.IgnoreTimes = true
			o.Backup.On, o.Backup.Suffix, o.Policy.BacksUp = true, "~", true
		}, 4.15},
	} {
		o := engine.Options{
			Threads: 16, User: h.Info().User, Keep: metadata.Keep{Modes: true, Perms: true, Mtime: true, Owner: true, Group: true},
		}
		if c.set != nil {
			c.set(&o)
		}
		r := new(detailed)
		before := requests()
		enginetest.Run(t, enginetest.NewJob(c.from, c.to, o, r), &r.Events)
		if n := requests() - before; float64(n) > c.each*dirs*perDir {
			t.Errorf("%s: %d requests, want at most %v for each of %d files", c.name, n, c.each, dirs*perDir)
		}
	}
}
