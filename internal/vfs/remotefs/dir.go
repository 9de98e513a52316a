package remotefs

import (
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/files"
	"psync/internal/vfs/remotefs/listing"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// offered are the optional operations of a server that this side can request.
const offered = vfs.CanClone | vfs.CanCopyRange | vfs.CanOpenCreate | vfs.CanMknod | vfs.CanLink | vfs.CanNode | vfs.HasIdentity

// A Dir is a directory of the server.
type Dir struct {
	vfs.UnsupportedDir
	s      *files.Client
	tree   *listing.Tree
	kept   *atomic.Int64 // directories of the session that were made and not entered yet
	handle *session.Directory
	caps   vfs.Caps
	path   string // that it was opened by; empty if it was opened in another one

	mu      sync.Mutex                    // guards what follows
	isNew   bool                          // this session made it, and nothing was made in it so far
	branch  *listing.Listing              // its listing, or the place for one that may come; nil: unknown
	read    bool                          // ReadDir was called
	info    *wire.DirInfo                 // what came with opening or listing it
	asked   time.Time                     // when info was asked for
	relist  bool                          // entries were changed through this Dir since the listing was asked for
	changed bool                          // the directory was changed through this Dir, even if only its times
	made    map[string]*session.Directory // directories made by mkdirAsync and not opened yet
	making  map[string]*session.Directory // directories whose mkdirAsync is not answered yet
	writing map[string]*files.Writer      // files that are open for writing
}

func newDir(s *files.Client, t *listing.Tree, kept *atomic.Int64, o *session.Directory) *Dir {
	return &Dir{s: s, tree: t, kept: kept, handle: o}
}

// child returns a Dir for a directory below d, which is or will be open as o.
func (d *Dir) child(o *session.Directory) *Dir {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Dir{s: d.s, tree: d.tree, kept: d.kept, handle: o, caps: d.caps}
}

// opened records what the server says about the directory when it is open.
func (d *Dir) opened(a *wire.Opened) error {
	d.handle.Answered(a, nil)
	return d.know(&a.DirInfo, time.Now())
}

// know records what is known about the directory since it was asked for.
func (d *Dir) know(info *wire.DirInfo, asked time.Time) error {
	if !info.Attr.Mode.IsDir() {
		return d.s.Reject("a directory that is none")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.info == nil {
		d.info, d.asked = info, asked
		d.caps = info.Caps&offered | files.ProtocolCaps
	}
	return nil
}

// facts returns what is known about the directory, and waits for it if necessary.
func (d *Dir) facts() (*wire.DirInfo, error) {
	d.mu.Lock()
	info, b := d.info, d.branch
	d.mu.Unlock()
	if info != nil {
		return info, nil
	}
	asked := time.Now()
	if b != nil {
		if d.tree.IsExpected(b) {
			<-b.Done()
			info, asked = b.Info()
		}
	}
	if info == nil {
		var err error
		if info, err = d.handle.Info(); err != nil {
			return nil, err
		}
		asked = time.Now()
	}
	if err := d.know(info, asked); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info, nil
}

// Place returns the path that the directory was opened by, and its identity.
func (d *Dir) Place() (path string, id vfs.ID, err error) {
	info, err := d.facts()
	if err != nil {
		return "", vfs.ID{}, err
	}
	return d.path, info.Attr.ID(), nil
}

// far returns a volume of the server as it is seen from here.
func far(v vfs.Volume) vfs.Volume {
	v.Network, v.TimesStay, v.SlowExclusive = true, true, false
	return v
}

// Statfs implements [vfs.Dir].
func (d *Dir) Statfs() (vfs.Volume, error) {
	info, err := d.facts()
	if err != nil {
		return vfs.Volume{}, err
	}
	return far(info.Volume), nil
}

// Caps implements [vfs.Dir]. While the caps of a directory are unknown, it returns those of its parent.
func (d *Dir) Caps() vfs.Caps {
	d.mu.Lock()
	caps := d.caps
	d.mu.Unlock()
	if caps == 0 {
		if _, err := d.facts(); err == nil {
			return d.Caps()
		}
	}
	return caps
}

// HasDefaultACL implements [vfs.Dir].
func (d *Dir) HasDefaultACL() bool {
	info, err := d.facts()
	return err == nil && info.HasDefaultACL
}

// SyncVolume implements [vfs.Dir].
func (d *Dir) SyncVolume() error {
	h := d.handle.Use()
	defer d.handle.Release()
	return session.PathError("sync", ".", d.s.Do(&wire.Sync{Handle: h, Volume: true}))
}
