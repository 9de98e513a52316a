package remotefs

import (
	"io/fs"
	"sync"
	"syscall"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// stale is how old a listing may be for its word to be taken on the directory itself, and on what is not there.
const stale = 10 * time.Second

// offered are the operations of a server that this side can ask for.
const offered = vfs.CanClone | vfs.CanCopyRange | vfs.CanSeekData | vfs.CanPunchHole | vfs.CanPreallocate | vfs.CanSync |
	vfs.CanFollow | vfs.CanConfine | vfs.CanOpenParent | vfs.CanRewrite | vfs.CanOpenCreate | vfs.CanMknod | vfs.CanLink |
	vfs.CanMove | vfs.CanSyncVolume | vfs.CanNode | vfs.CanLongXattr

// added are those that every server of this protocol offers.
const added = vfs.CanMakeLate | vfs.CanSum | vfs.CanCarry

// A Dir is a directory of the server.
type Dir struct {
	vfs.UnsupportedDir
	s      *session
	o      *openHandle
	isRoot bool // it was opened by a path
	fresh  bool // this session has made it, so that it has what this session has made in it
	caps   vfs.Caps
	making sync.WaitGroup // requests MkdirLate

	mu      sync.Mutex // guards what follows
	b       *branch    // its listing, or where that may come; nil: unknown
	read    bool       // ReadDir was called
	looks   int        // names that were asked for before the directory was listed
	info    *wire.DirInfo
	changed map[string]bool        // names that this session has changed since the listing was asked for
	touched bool                   // this session has changed the directory itself, if only its time
	made    map[string]*openHandle // by MkdirLate and not opened yet
	writing map[string]*writeFile  // files that are open for writing
	closed  bool
	up      *Dir   // that it was opened from, whose listing has its attributes
	name    string // in up
}

func newDir(s *session, o *openHandle) *Dir { return &Dir{s: s, o: o} }

// below returns a Dir for the directory called name, which is open, or will be, as o.
func (d *Dir) below(name string, o *openHandle) *Dir {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Dir{s: d.s, o: o, up: d, name: name, caps: d.caps}
}

// opened records what the server says of the directory when it is open.
func (d *Dir) opened(info *wire.DirInfo) error {
	d.o.answered(info, nil)
	return d.know(info)
}

// know takes over what is known of the directory.
func (d *Dir) know(info *wire.DirInfo) error {
	if !info.Attr.Mode.IsDir() {
		return d.s.fail("a directory that is none")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.info == nil {
		copied := *info
		copied.Attr = d.s.attr(copied.Attr)
		d.info = &copied
		d.caps = copied.Caps&offered | added
	}
	if d.closed {
		return nil
	}
	id := d.info.Attr.ID()
	t := &d.s.tree
	t.Lock()
	defer t.Unlock()
	if t.listed[id] == nil {
		t.listed[id] = make(map[*Dir]bool)
	}
	t.listed[id][d] = true
	return nil
}

// facts returns what is known of the directory, and waits for that if need be.
func (d *Dir) facts() (*wire.DirInfo, error) {
	d.mu.Lock()
	info, b := d.info, d.b
	d.mu.Unlock()
	if info != nil {
		return info, nil
	}
	if b != nil {
		d.s.tree.Lock()
		coming := b.coming || b.done
		d.s.tree.Unlock()
		if coming {
			<-b.settled
			info = b.info
		}
	}
	if info == nil {
		var err error
		if info, err = d.o.wait(); err != nil {
			return nil, err
		}
	}
	if err := d.know(info); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info, nil
}

// target returns an entry for a request, which ends the use when it is answered.
func (d *Dir) target(name string) (t wire.Target, done func()) {
	return wire.Target{Dir: d.o.use(), Name: name}, d.o.release
}

// touch records that this session changes a name, or "." for the directory itself. It is called before a change, and
// again after it: a listing that is asked for meanwhile may or may not have it.
func (d *Dir) touch(name string) {
	d.mark(name)
	d.markInParent()
	d.touchLinks(name)
	info := d.known()
	if info == nil {
		return
	}
	t := &d.s.tree
	t.Lock()
	for _, b := range t.unentered[info.Attr.ID()] {
		b.outdated = true
	}
	var others []*Dir
	for other := range t.listed[info.Attr.ID()] {
		if other != d {
			others = append(others, other)
		}
	}
	t.Unlock()
	for _, other := range others {
		other.mark(name)
		other.markInParent()
	}
}

// touchLinks records that a file changes under all its names.
func (d *Dir) touchLinks(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := &d.s.tree
	t.Lock()
	defer t.Unlock()
	switch {
	case name == "." || d.fresh:
	case d.b == nil || d.b.index == nil:
		t.anyLinks = true // it may have others
	default:
		if i, ok := d.b.index[name]; ok && hasOtherNames(&d.b.entries[i].Attr) {
			t.links[d.b.entries[i].Attr.ID()] = true
		}
	}
}

func hasOtherNames(a *vfs.Attr) bool { return a.Nlink > 1 && !a.Mode.IsDir() }

// known returns what is known of the directory by now, or nil.
func (d *Dir) known() *wire.DirInfo {
	d.mu.Lock()
	info := d.info
	d.mu.Unlock()
	if info != nil {
		return info
	}
	if info = d.o.answer(); info == nil || d.know(info) != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info
}

// markInParent records that the attributes of the directory change.
func (d *Dir) markInParent() {
	d.mu.Lock()
	up, name := d.up, d.name
	d.mu.Unlock()
	if up != nil {
		up.mark(name)
	}
}

func (d *Dir) mark(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.changed == nil {
		d.changed = make(map[string]bool)
	}
	d.changed[name], d.touched = true, true
}

// Lstat implements [vfs.Dir].
func (d *Dir) Lstat(name string) (vfs.Attr, error) {
	if name == "." {
		return d.lstatSelf()
	}
	e, known, err := d.lookup(name)
	if err != nil {
		return vfs.Attr{}, pathError("lstat", name, err)
	}
	if known {
		return e.Attr, nil
	}
	return d.stat("lstat", name, false)
}

func (d *Dir) lstatSelf() (vfs.Attr, error) {
	d.mu.Lock()
	changed := d.touched
	b := d.b
	d.mu.Unlock()
	var listed *vfs.Attr
	recent := true
	if b != nil {
		d.s.tree.Lock()
		listed, recent = b.attr, time.Since(b.at) < stale
		d.s.tree.Unlock()
	}
	if !changed && listed != nil && recent {
		return *listed, nil
	}
	if !changed {
		info, err := d.facts()
		if err != nil {
			return vfs.Attr{}, err
		}
		if recent {
			return info.Attr, nil
		}
	}
	return d.stat("lstat", ".", false)
}

func (d *Dir) stat(op, name string, follow bool) (vfs.Attr, error) {
	t, done := d.target(name)
	defer done()
	a, err := ask[*wire.AttrAnswer](d.s, &wire.Lstat{Target: t, Follow: follow})
	if err != nil {
		return vfs.Attr{}, pathError(op, name, err)
	}
	return d.s.attr(a.Attr), nil
}

// lookup returns the entry called name from the listing. known is false if that does not say, or may not any more.
func (d *Dir) lookup(name string) (e *wire.Entry, known bool, err error) {
	d.mu.Lock()
	changed, fresh := d.changed[name], d.fresh
	if d.b == nil && d.isRoot && d.looks < 2 {
		d.looks++ // one operand may be a single entry of a large directory
		changed = true
	}
	d.mu.Unlock()
	switch {
	case changed:
		return nil, false, nil
	case fresh:
		return nil, false, syscall.ENOENT
	}
	b, err := d.listing()
	if err != nil {
		return nil, false, nil // what is asked for may be there nevertheless
	}
	d.mu.Lock()
	i, ok := b.index[name]
	changed = d.changed[name]
	d.mu.Unlock()
	switch {
	case changed || ok && (b.entries[i].Gone || d.s.tree.changedByLink(&b.entries[i].Attr)):
		return nil, false, nil
	case ok:
		return &b.entries[i], true, nil
	case len(b.entries) >= mostEntries || d.folds() || time.Since(b.at) > stale:
		return nil, false, nil
	}
	return nil, false, syscall.ENOENT
}

func (d *Dir) folds() bool {
	info, err := d.facts()
	return err != nil || info.Volume.Folds
}

// listing returns the complete listing of the directory, and asks for it if it does not come anyway.
func (d *Dir) listing() (*branch, error) {
	if _, err := d.facts(); err != nil {
		return nil, err // and so that changes by others of this session are marked
	}
	d.mu.Lock()
	if d.b == nil {
		d.b = newBranch()
		d.b.taken = true
	}
	b := d.b
	d.mu.Unlock()
	<-d.begin(b)
	if !b.complete {
		if b.failure != nil {
			return nil, b.failure
		}
		d.mu.Lock()
		if d.b == b { // the listing that might have come has not
			d.b = newBranch()
			d.b.taken, d.b.attr, d.b.at = true, b.attr, b.at
		}
		b = d.b
		d.mu.Unlock()
		<-d.begin(b)
	}
	switch {
	case b.failure != nil:
		return nil, b.failure
	case !b.complete:
		return nil, d.s.err()
	}
	return b, d.indexed(b)
}

// begin asks for the listing b unless that comes or has come, and returns what is closed when it is here.
func (d *Dir) begin(b *branch) <-chan struct{} {
	t := &d.s.tree
	t.Lock()
	var send func()
	if !b.done && !b.coming {
		send = t.list(d.s, d.o, b, true)
	}
	t.Unlock()
	if send != nil {
		d.mu.Lock()
		d.changed = nil // the listing will tell; what is under way is marked again when it is done
		d.mu.Unlock()
		send()
	}
	return b.settled
}

// indexed makes the index of a listing.
func (d *Dir) indexed(b *branch) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b.index != nil {
		return nil
	}
	b.index = make(map[string]int, len(b.entries))
	for i := range b.entries {
		b.index[b.entries[i].Name] = i
	}
	if len(b.index) < len(b.entries) {
		return d.s.fail("a name twice in one listing")
	}
	return nil
}

// ReadDir implements [vfs.Dir]. It lists the directory again if that was done before, or this session has changed it.
func (d *Dir) ReadDir(yield func([]vfs.Entry) error) error {
	d.mu.Lock()
	if d.fresh && len(d.changed) == 0 {
		d.mu.Unlock()
		return nil
	}
	d.fresh = false
	if d.read || d.b != nil && len(d.changed) > 0 {
		d.s.tree.Lock()
		if d.b != nil {
			d.s.tree.drop(d.b)
		}
		d.s.tree.Unlock()
		d.b, d.changed = newBranch(), nil
		d.b.taken = true
	}
	d.read = true
	d.mu.Unlock()
	b, err := d.listing()
	if err != nil {
		return pathError("readdir", ".", err)
	}
	const some = 1024
	chunk := make([]vfs.Entry, 0, min(some, len(b.entries)))
	for i := range b.entries {
		e := &b.entries[i]
		chunk = append(chunk, vfs.Entry{Name: e.Name, Type: e.Attr.Mode.Type(), Ino: e.Attr.Ino})
		if len(chunk) == some || i == len(b.entries)-1 {
			if err := yield(chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	return nil
}

// OpenDir implements [vfs.Dir].
func (d *Dir) OpenDir(name string) (vfs.Dir, error) {
	if below := d.openMade(name); below != nil {
		return below, nil
	}
	d.mu.Lock()
	b, changed := d.b, d.changed[name]
	i, listed := 0, false
	if b != nil {
		i, listed = b.index[name]
	}
	d.mu.Unlock()
	if listed && !changed && b.entries[i].Attr.Mode.IsDir() && !b.entries[i].Gone {
		below := d.below(name, unopenedHandle(d.o, name))
		t := &d.s.tree
		t.Lock()
		below.b = t.take(b, name)
		t.Unlock()
		return below, nil
	}
	return d.open("open", name, wire.OpenPlain)
}

// openMade opens a directory that MkdirLate has made and nothing has opened yet. It returns nil if that is none.
func (d *Dir) openMade(name string) vfs.Dir {
	o := d.takeMade(name)
	if o == nil {
		return nil
	}
	below := d.below(name, o)
	below.fresh = true
	return below
}

// open opens a directory and waits for it.
func (d *Dir) open(op, name string, how wire.OpenHow) (vfs.Dir, error) {
	h := d.s.handle()
	below := newDir(d.s, openedHandle(d.s, h))
	if how != wire.OpenUp {
		below = d.below(name, below.o)
	}
	in := d.o.use()
	defer d.o.release()
	a, err := ask[*wire.Opened](d.s, &wire.OpenDir{New: h, Dir: in, Name: name, How: how})
	if err == nil {
		err = below.opened(&a.DirInfo)
	}
	if err != nil {
		_ = below.Close() // nothing was done with it
		return nil, pathError(op, name, err)
	}
	return below, nil
}

// FollowDir implements [vfs.Dir].
func (d *Dir) FollowDir(name string) (vfs.Dir, error) {
	if below := d.openMade(name); below != nil {
		return below, nil
	}
	return d.open("open", name, wire.OpenFollow)
}

// OpenDirWithin implements [vfs.Dir].
func (d *Dir) OpenDirWithin(name string) (vfs.Dir, error) {
	if below := d.openMade(name); below != nil {
		return below, nil
	}
	return d.open("open", name, wire.OpenWithin)
}

// OpenParent implements [vfs.Dir].
func (d *Dir) OpenParent() (vfs.Dir, error) {
	p, err := d.open("open", "", wire.OpenUp)
	if pe, ok := err.(*fs.PathError); ok {
		pe.Path = ".."
	}
	return p, err
}

// Stat implements [vfs.Dir].
func (d *Dir) Stat(name string) (vfs.Attr, error) { return d.stat("stat", name, true) }

// Readlink implements [vfs.Dir].
func (d *Dir) Readlink(name string) (string, error) {
	e, known, err := d.lookup(name)
	switch {
	case err != nil:
		return "", pathError("readlink", name, err)
	case known && e.Attr.Mode&fs.ModeSymlink != 0:
		return e.Target, nil
	case known:
		return "", pathError("readlink", name, syscall.EINVAL)
	}
	t, done := d.target(name)
	defer done()
	a, err := ask[*wire.Paths](d.s, &wire.Readlink{Target: t})
	if err != nil {
		return "", pathError("readlink", name, err)
	}
	if len(a.Paths) != 1 {
		return "", d.s.fail("more or less than one target of a link")
	}
	return a.Paths[0], nil
}

// Statfs implements [vfs.Dir].
func (d *Dir) Statfs() (vfs.Volume, error) {
	info, err := d.facts()
	if err != nil {
		return vfs.Volume{}, err
	}
	return far(info.Volume), nil
}

// far returns a volume of the server as it is from here.
func far(v vfs.Volume) vfs.Volume {
	v.Network, v.TimesStay, v.SlowExclusive = true, true, false
	return v
}

// Caps implements [vfs.Dir]. Those of a directory that is not known yet are those of its parent.
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
	h := d.o.use()
	defer d.o.release()
	return pathError("sync", ".", d.s.do(&wire.Sync{Handle: h, Volume: true}))
}

// Close implements [vfs.Dir].
func (d *Dir) Close() error {
	d.mu.Lock()
	b, info, made := d.b, d.info, d.made
	d.made, d.up, d.closed = nil, nil, true
	d.mu.Unlock()
	t := &d.s.tree
	t.Lock()
	if b != nil {
		b.dropped = true // if it is still to come
		t.drop(b)
	}
	if info != nil {
		id := info.Attr.ID()
		if delete(t.listed[id], d); len(t.listed[id]) == 0 {
			delete(t.listed, id)
		}
	}
	t.Unlock()
	if len(made) > 0 {
		d.making.Wait() // another handle may be asked for them next
	}
	d.s.kept.Add(-int64(len(made)))
	for _, o := range made {
		o.release()
	}
	d.o.release()
	return nil
}
