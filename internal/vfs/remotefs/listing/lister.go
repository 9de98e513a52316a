package listing

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"psync/internal/lazymap"
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

const (
	maxAhead  = 16 << 20  // bytes of listings that came but have not been asked for yet
	maxAtOnce = 2 << 20   // of these, by one request
	minMore   = 1 << 20   // of these, by a request for what others have not brought
	maxNames  = 256 << 10 // bytes of paths in such a request
	maxOfEach = 4 << 10   // of these, by a request for directories that were listed, for each of them
	maxEarly  = 32 << 20  // bytes of parts of answers that came before their turn

	maxListed   = 40 << 20  // bytes of listings that are in use, or asked for
	maxOfDir    = 8 << 20   // of these, by one request; twice as many may come, and as many again while memory grows
	minOfDir    = 256 << 10 // by one request, even if that exceeds maxListed
	listedSlack = 256 << 10 // bytes that the last entry, with all that belongs to it, may take

	entryOverhead = 100 // bytes that an entry takes in addition to its name
	xattrOverhead = 16  // and an extended attribute
	decodedEntry  = 400 // further bytes that an entry takes while it is decoded
	decodedXattr  = 64  // and an extended attribute
)

// A lister receives the answer to one request for a listing.
type lister struct {
	s       *session.Session
	tree    *Tree
	root    *Listing
	of      *session.Directory // that root lists
	ahead   int                // bytes of listings below root that were asked for
	brought bool               // one of these has come
	came    int                // bytes of those that came, approximately
	most    int                // bytes of the directory itself that were asked for
	first   int                // bytes of these that came, approximately
	asked   time.Time
	next    uint32                   // number of the part that is expected next
	early   map[uint32]*wire.Listing // parts that came before their turn
	held    int                      // bytes in early
	path    string                   // path of the directory whose parts are coming
	current *Listing                 // the branch that the parts are added to; nil: they are not wanted
	wait    map[string]expected      // branches that may still come, by their paths
}

// An expected listing is one that may come.
type expected struct {
	*Listing
	in *Listing // of the directory above; nil: none
}

// Ask asks for a listing of the directory that is, or is being, opened as o, unless it has come or is coming. send then
// sends the request; otherwise it is nil.
func (t *Tree) Ask(s *session.Session, o *session.Directory, b *Listing) (send func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b.done || b.coming {
		return nil
	}
	return t.list(s, o, b, false)
}

// Continue asks for the entries after those of a listing, and waits for them.
func (t *Tree) Continue(s *session.Session, o *session.Directory, after *Listing) *Listing {
	page := New()
	page.cursor = after.cursor
	t.mu.Lock()
	send := t.list(s, o, page, true)
	t.mu.Unlock()
	send()
	<-page.finished
	return page
}

// TakeBelow gives what came ahead, or is coming, of a directory below b to a Dir. listed reports whether the directory
// was listed. b, which may be nil, is the listing of what is, or is being, opened as o. If no request brings the listing,
// send asks for it, together with those of other directories in b; otherwise it is nil.
func (t *Tree) TakeBelow(s *session.Session, o *session.Directory, b *Listing, name string) (below *Listing, listed bool, send func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b == nil || !b.complete || b.outdated {
		return nil, false, nil
	}
	below, listed = b.below[name]
	if listed && below.isMissing() && !b.dropped {
		if send = t.listBelow(s, o, b, name); send != nil {
			below = b.below[name]
		}
	}
	if below == nil || below == entered {
		return nil, listed, send
	}
	b.below[name] = entered
	below.taken = true
	t.ahead -= below.size
	t.used += below.size
	return below, listed, send
}

// list prepares a request for the listing of the directory that is, or is being, opened as o; send sends it. If goOn is
// true, the listing continues where b.cursor stopped. The caller holds the tree's mutex.
func (t *Tree) list(s *session.Session, o *session.Directory, b *Listing, goOn bool) (send func()) {
	l := t.newLister(s, o, b)
	l.wait[""] = expected{b, nil}
	l.ahead = max(0, min(maxAtOnce, t.room()))
	l.most = max(minOfDir, min(maxOfDir, (maxListed-t.used-t.expected)/2))
	if goOn {
		l.ahead = 0
	} else {
		b.cursor = uint64(s.NewHandle())
	}
	t.promised += l.ahead
	t.expected += l.most
	b.coming = true
	return l.sender(&wire.List{Ahead: uint32(l.ahead), Most: uint32(l.most), Cursor: b.cursor, Continue: goOn})
}

func (t *Tree) newLister(s *session.Session, o *session.Directory, root *Listing) *lister {
	return &lister{
		s: s, tree: t, root: root, of: o, asked: time.Now(),
		early: make(map[uint32]*wire.Listing), wait: make(map[string]expected),
	}
}

// room returns how many more bytes of listings may be asked for ahead.
func (t *Tree) room() int { return maxAhead - t.ahead - t.promised }

// listBelow prepares a request for listings of directories in b, the listing of what is, or is being, opened as o, which
// no request brings. It returns nil if there are none, or too many bytes are under way.
func (t *Tree) listBelow(s *session.Session, o *session.Directory, b *Listing, first string) (send func()) {
	list := &wire.List{Below: []string{first}}
	for name, below := range b.below {
		if name != first && below.isMissing() && len(list.Below) < wire.MaxBelow {
			list.Below = append(list.Below, name)
		}
	}
	l := t.newLister(s, o, b)
	if l.ahead = min(maxAtOnce, t.room(), maxOfEach*len(list.Below)); l.ahead < maxOfEach {
		return nil
	}
	t.promised += l.ahead
	list.Ahead = uint32(l.ahead)
	b.inOrder = list.Below
	l.expectBelow(b)
	return l.sender(list)
}

// sender returns a function that sends a request.
func (l *lister) sender(list *wire.List) (send func()) {
	return func() {
		list.Dir = l.of.Use()
		l.send(list)
	}
}

// send sends a request that uses the directory.
func (l *lister) send(list *wire.List) {
	l.s.Request(list, func(f wire.Frame, err error) bool {
		last := l.receive(f.Message, err)
		if last {
			l.of.Release()
		}
		return last
	})
}

// receive processes a part of the answer, and reports whether it was the last one.
func (l *lister) receive(m wire.Message, err error) (last bool) {
	t := l.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	part, err := session.AnswerOf[*wire.Listing](l.s, m, err)
	if err != nil {
		l.end(err)
		return true
	}
	if part.Seq != l.next {
		n, decoded := sizeOf(part)
		l.holdEarly(n + decoded)
	}
	if part.Seq < l.next || l.early[part.Seq] != nil || t.early > maxEarly {
		l.end(l.s.Reject("a part of a listing twice, or too early"))
		return true
	}
	l.early[part.Seq] = part
	for part = l.early[l.next]; part != nil; part = l.early[l.next] {
		delete(l.early, l.next)
		if l.next++; len(l.early) == 0 {
			l.holdEarly(-l.held)
		}
		if err := l.part(part); err != nil || part.End {
			l.end(err)
			return true
		}
	}
	return false
}

// holdEarly counts n bytes that came before their turn, or that are no longer held if n is negative.
func (l *lister) holdEarly(n int) {
	l.held += n
	l.tree.early += n
}

// sizeOf returns about how many bytes a part of a listing takes, and how many more while it is decoded.
func sizeOf(p *wire.Listing) (n, decoded int) {
	n = entryOverhead + len(p.Path)
	for i := range p.Entries {
		e := &p.Entries[i]
		n += entryOverhead + len(e.Name) + len(e.Target)
		decoded += decodedEntry
		if e.Extra == nil {
			continue
		}
		decoded += decodedXattr * len(e.Extra.Xattrs)
		for _, x := range e.Extra.Xattrs {
			n += xattrOverhead + len(x.Name) + len(x.Value)
		}
		for _, err := range []*wire.Error{e.Extra.FlagsError, e.Extra.XattrError} {
			if err != nil {
				n += len(err.Name) + len(err.Text)
			}
		}
	}
	return n, decoded
}

// end ends the wait for listings that have not come. err is why the answer ends early, or nil.
func (l *lister) end(err error) {
	l.tree.promised -= l.ahead
	l.tree.expected -= l.most
	l.ahead, l.most, l.early = 0, 0, nil
	l.holdEarly(-l.held)
	_, unlisted := l.wait[""]
	if err == nil && unlisted && !l.root.dropped {
		err = l.s.Reject("a listing without its end")
	}
	if unlisted {
		l.root.failure = err
	}
	if err == nil && l.brought {
		l.askAgain()
	}
	for _, b := range l.wait {
		b.finish()
	}
}

// part adds a part of a listing to the tree. The error is a *vfs.LostError.
func (l *lister) part(p *wire.Listing) error {
	if p.First {
		l.path, l.current = p.Path, l.wait[p.Path].Listing
		if b := l.current; b != nil {
			b.info, b.asked = p.Info, l.asked
			if b.info != nil {
				b.info.Attr = l.s.Attr(b.info.Attr)
			}
		}
	}
	// The server counts fewer bytes for an entry, but at least half.
	if n, _ := sizeOf(p); l.path != "" {
		l.came += n
	} else {
		l.first += n
	}
	if l.came > 2*l.ahead || l.first > 2*l.most+listedSlack {
		return l.s.Reject("more listings than asked for")
	}
	b := l.current
	if b == nil || b.dropped {
		return nil
	}
	if p.Failure == nil {
		if err := l.add(b, p.Entries); err != nil {
			return err
		}
	}
	if !p.Last {
		return nil
	}
	l.current = nil
	b.failure = p.Failure.Err()
	b.more = p.More && b == l.root
	b.tooLong = p.More && b != l.root
	b.complete = b.failure == nil && !b.tooLong
	delete(l.wait, l.path)
	l.brought = l.brought || b != l.root && b.complete
	if b.complete && !b.more {
		l.expectBelow(b)
	}
	b.finish()
	return nil
}

// add appends entries to a listing. The error is a *vfs.LostError.
func (l *lister) add(b *Listing, entries []wire.Entry) error {
	for i := range entries {
		e := &entries[i]
		e.Attr = l.s.Attr(e.Attr)
		n := b.entries.add(e)
		if n == 0 {
			return l.s.Reject("a name twice in one listing")
		}
		if opensAsync(e) {
			lazymap.Set(&b.below, e.Name, nil)
			n += entryOverhead + len(e.Name)
			if len(l.wait)+len(b.inOrder) <= l.ahead/wire.MinListing {
				b.inOrder = append(b.inOrder, e.Name)
			}
		}
		b.size += n
		if b.taken {
			l.tree.used += n
		} else {
			l.tree.ahead += n
		}
	}
	return nil
}

// opensAsync reports whether a listed directory may be opened by a request that is not waited for. One whose owner may
// not list it may have to get the rights first, so that the caller must learn at once that it does not open.
func opensAsync(e *wire.Entry) bool {
	const needed = 0o500
	return e.Attr.Mode.IsDir() && e.Attr.Mode&needed == needed && !e.Gone
}

// expectBelow makes a branch for each directory in a complete listing whose own listing may come next.
func (l *lister) expectBelow(b *Listing) {
	for _, name := range b.inOrder {
		below := newListing()
		below.coming = true
		l.wait[vfs.Join(l.path, name)] = expected{below, b}
		b.below[name] = below
	}
	b.inOrder = nil
}

// askAgain asks for the listings that an answer was to bring and has not, because there were too many. Otherwise workers
// would ask for those of one directory after the other, each time all of them. What is not asked for, because too many
// bytes are under way, stays in l.wait.
func (l *lister) askAgain() {
	var paths []string
	for path, b := range l.wait {
		if b.in != nil && !b.dropped {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	for len(paths) > 0 && !l.root.dropped && l.tree.room() >= minMore {
		more, list, size := l.tree.newLister(l.s, l.of, l.root), new(wire.List), 0
		for len(paths) > 0 && len(list.Below) < wire.MaxBelow && size < maxNames {
			path := paths[0]
			paths, list.Below, size = paths[1:], append(list.Below, path), size+len(path)
			more.wait[path] = l.wait[path]
			delete(l.wait, path)
		}
		more.ahead = min(maxAtOnce, l.tree.room(), max(minOfDir, maxOfEach*len(list.Below)))
		l.tree.promised += more.ahead
		list.Ahead = uint32(more.ahead)
		list.Dir = l.of.Use() // before the end of this request releases it
		go more.send(list)    // which may have to wait for room
	}
}
