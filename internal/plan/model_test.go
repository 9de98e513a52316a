package plan

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A node is an entry of a tree in memory.
type node struct {
	mode     fs.FileMode
	contents string // of a file; the target of a link; the number of a device
	mtime    int    // in seconds
}

// A tree has the nodes below a root, and the root itself as ".".
type tree map[string]node

// attr returns the attributes of a name. The mode of one that the tree does not have is Absent.
func (t tree) attr(name string) vfs.Attr {
	n, ok := t[name]
	if !ok {
		return vfs.Attr{Mode: Absent}
	}
	a := vfs.Attr{Mode: n.mode, Size: int64(len(n.contents)), Mtime: now.Add(time.Duration(n.mtime) * time.Second)}
	if n.mode&fs.ModeDevice != 0 {
		a.Rdev = uint64(n.contents[0])
	}
	return a
}

func (t tree) isDir(name string) bool { return t[name].mode.IsDir() }

// children returns the paths of the entries of a directory.
func (t tree) children(dir string) (paths []string) {
	for name := range t {
		if name != "." && path.Dir(name) == dir {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths
}

// below returns the paths of a node and of all nodes below it.
func (t tree) below(name string) (paths []string) {
	for other := range t {
		if other == name || strings.HasPrefix(other, name+"/") {
			paths = append(paths, other)
		}
	}
	return paths
}

// A run carries out, in memory, what a policy plans.
type run struct {
	policy   Policy
	keep     metadata.Keep
	src, dst tree
	again    bool     // directories are looked at for the second time
	counted  int64    // entries to be removed, if they are counted first
	done     []string // changes of dst
}

// apply makes dst what the plan for src says, and returns what it changed. If entries to be removed are counted
// first and are more than may be removed, exceeded is true.
func apply(p Policy, k metadata.Keep, src, dst tree) (done []string, exceeded bool) {
	r := &run{policy: p, keep: k, src: src, dst: dst}
	total := int64(len(dst) - 1)
	r.directory(".", false)
	if p.DefersRemoval() {
		if r.counted > p.Delete.Max.Of(total) {
			return r.done, true
		}
		r.again = true
		r.directory(".", false)
	}
	return r.done, false
}

func (r *run) log(what, name string) { r.done = append(r.done, what+" "+name) }

// directory deals with a directory that both sides have.
func (r *run) directory(dir string, isNew bool) {
	found := r.dst[dir].mode
	names := r.src.children(dir)
	for _, name := range names {
		r.entry(name)
	}
	r.extraneous(dir, names)
	s, d := r.src[dir], r.dst[dir]
	d.mode = DirMode(r.keep, s.mode, found, isNew, dir == ".")
	if r.keep.Mtime {
		d.mtime = s.mtime
	}
	r.set("directory", dir, d)
}

func (r *run) entry(name string) {
	s := r.src[name]
	action := r.policy.Entry(s.mode, r.dst.attr(name).Mode)
	if r.again && action != Descend && action != ReplaceDir {
		return
	}
	switch action {
	case Skip, Leave, NotDir, KeptNotDir:
	case Descend:
		r.directory(name, false)
	case ReplaceWithDir, Create, Replace, ReplaceDir:
		switch {
		case s.mode.IsDir():
			r.set("mkdir", name, node{mode: fs.ModeDir | FirstDirMode(s.mode, Access{}, false)})
			r.directory(name, true)
		case s.mode.IsRegular():
			r.file(name, action)
		default:
			r.special(name, action)
		}
	}
}

func (r *run) file(name string, action Action) {
	s, d := r.src[name], r.dst[name]
	if !r.policy.NeedsSource(s.mode, r.dst.attr(name).Mode, false) {
		r.transfer(name, action)
		return
	}
	verdict := r.policy.File(r.src.attr(name), r.dst.attr(name), exact)
	if verdict == ComparePrefix && strings.HasPrefix(s.contents, d.contents) {
		verdict = Transfer
	}
	switch {
	case verdict == Transfer, verdict == CompareContents && s.contents != d.contents:
		r.transfer(name, action)
	case verdict == Current, verdict == CompareContents:
		r.current(name)
	}
}

func (r *run) special(name string, action Action) {
	verdict := Special(r.src.attr(name), r.dst.attr(name))
	if verdict == Current || verdict == CompareContents && r.src[name].contents == r.dst[name].contents {
		r.current(name)
		return
	}
	r.transfer(name, action)
}

// current gives a node whose contents are right the attributes that it lacks.
func (r *run) current(name string) {
	s, d := r.src[name], r.dst[name]
	d.mode = CurrentMode(r.keep, s.mode, d.mode)
	if r.keep.Mtime {
		d.mtime = s.mtime
	}
	r.set("adjust", name, d)
}

// transfer makes a node that is not a directory.
func (r *run) transfer(name string, action Action) {
	if action == ReplaceDir && !r.clear(name) {
		return
	}
	want, attr := r.src[name], r.src.attr(name)
	if want.mode.IsRegular() && KeepMode(r.keep, &attr, r.dst.attr(name)) {
		want.mode = attr.Mode
	}
	if !r.keep.Mtime {
		want.mtime = 1000 // the time of the copy
	}
	r.log("transfer", name)
	r.dst[name] = want
}

// clear makes way for something else than a directory, and reports whether it can be made.
func (r *run) clear(name string) bool {
	inside := r.dst.below(name)
	switch r.policy.Clearing(len(inside) == 1, r.again) {
	case FailNotEmpty:
		return false
	case ClearLater:
		r.counted += int64(len(inside))
		return false
	}
	r.remove(name)
	return true
}

func (r *run) extraneous(dir string, names []string) {
	var extraneous []string
	for _, name := range r.dst.children(dir) {
		if !slices.Contains(names, name) {
			extraneous = append(extraneous, name)
		}
	}
	if !r.policy.Delete.On || len(extraneous) == 0 {
		return
	}
	removal := r.policy.Removal(RemovalFacts{IsOperand: dir == ".", SourceEmpty: len(names) == 0, Again: r.again})
	for _, name := range extraneous {
		switch removal {
		case CountFirst:
			r.counted += int64(len(r.dst.below(name)))
		case Remove:
			r.remove(name)
		}
	}
}

func (r *run) remove(name string) {
	r.log("remove", name)
	for _, name := range r.dst.below(name) {
		delete(r.dst, name)
	}
}

func (r *run) set(what, name string, n node) {
	if old, ok := r.dst[name]; !ok || old != n {
		r.log(what, name)
		r.dst[name] = n
	}
}

// omitted is the type of nodes that are not copied: links that lead out of the tree, or to nothing.
const omitted = fs.ModeIrregular

// followed returns the tree that is copied of one whose links are treated as l says.
func (l Links) followed(t tree) tree {
	f := tree{}
	l.addFollowed(f, ".", t, ".", nil)
	return f
}

// addFollowed adds the node called name of the tree t, and all below it, to f under the name as. The
// directories above it, in t, are up.
func (l Links) addFollowed(f tree, as string, t tree, name string, up []string) {
	n := t[name]
	dir := path.Dir(as)
	if n.mode.Type() == link {
		action := l.CopyAs(n.contents, strings.TrimPrefix(dir, "."))
		target, exists := t.resolve(path.Dir(name), n.contents)
		switch {
		case action == OmitUnsafe, action == AsTarget && (!exists || slices.Contains(up, target)), action == AsTargetIfDir && slices.Contains(up, target):
			f[as] = node{mode: omitted}
			return
		case action == AsTarget, action == AsTargetIfDir && t.isDir(target):
			name, n = target, t[target]
		}
	}
	f[as] = n
	if n.mode.IsDir() {
		up = append(slices.Clone(up), name)
		for _, child := range t.children(name) {
			l.addFollowed(f, path.Join(as, path.Base(child)), t, child, up)
		}
	}
}

// resolve returns where a link found in a directory leads.
func (t tree) resolve(dir, target string) (name string, exists bool) {
	for range 5 {
		if strings.HasPrefix(target, "/") {
			return "", false
		}
		name = path.Join(dir, target)
		n, ok := t[name]
		if !ok || n.mode.Type() != link {
			return name, ok
		}
		dir, target = path.Dir(name), n.contents
	}
	return "", false
}

// randomTree returns a tree with nodes of all types.
func randomTree(r *rand.Rand) tree {
	t := tree{".": {mode: dir | 0o755, mtime: 1}}
	types := []fs.FileMode{file, file, file, dir, dir, dir, link, fifo, disk}
	var fill func(in string, depth int)
	fill = func(in string, depth int) {
		for range r.IntN(5) {
			name := path.Join(in, string(rune('a'+r.IntN(5))))
			if _, ok := t[name]; ok {
				continue
			}
			n := node{mode: types[r.IntN(len(types))] | []fs.FileMode{0o644, 0o755, 0o555, 0o600}[r.IntN(4)], mtime: r.IntN(3)}
			switch n.mode.Type() {
			case file:
				n.contents = "xxxxyy"[:r.IntN(7)]
			case link:
				n.mode, n.contents = link|0o777, []string{"a", "/etc", "../b"}[r.IntN(3)]
			case disk:
				n.contents = fmt.Sprint(r.IntN(2))
			}
			t[name] = n
			if n.mode.IsDir() && depth < 3 {
				fill(name, depth+1)
			}
		}
	}
	fill(".", 0)
	return t
}

// randomCopy returns a tree that shares some nodes with another one.
func randomCopy(r *rand.Rand, of tree) tree {
	t := randomTree(r)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if !t.isDir(path.Dir(name)) || t.isDir(name) || of.isDir(name) || r.IntN(3) == 0 {
			continue
		}
		n := of[name]
		switch r.IntN(5) {
		case 0:
			n.mtime = r.IntN(3)
		case 1:
			n.mode ^= 0o044
		case 2:
			if n.mode.IsRegular() {
				n.contents = n.contents[:len(n.contents)/2]
			}
		}
		t[name] = n
	}
	return t
}

func randomPolicy(r *rand.Rand) (p Policy, k metadata.Keep) {
	on := func(of int) bool { return r.IntN(of) == 0 }
	p = Policy{
		Sync: !on(3), IgnoreTimes: on(8), SizeOnly: on(8), Checksum: on(4),
		Update: on(4), Existing: on(6), IgnoreExisting: on(6),
		MinSize: int64(max(0, r.IntN(12)-9)), MaxSize: 3, LimitSize: on(6),
		Devices: on(2), Specials: on(2),
		Links:   Links{Copy: on(6), CopyDirlinks: on(4), CopyUnsafe: on(4), Safe: on(3)},
		Delete:  Delete{On: on(2), EmptySource: on(2)},
		InPlace: on(4),
	}
	if p.Delete.On && on(3) {
		p.Delete.Max = &Limit{N: r.Int64N(20)}
	}
	k = []metadata.Keep{{}, {Perms: true}, {Modes: true}, {NoPerms: true}}[r.IntN(4)]
	k.Mtime = !on(4)
	return p, k
}

// FuzzPlan applies what is planned for random trees and options. Afterwards the destination is what the options
// promise, and to plan again finds nothing to do.
func FuzzPlan(f *testing.F) {
	for seed := range uint64(5000) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		p, k := randomPolicy(r)
		links := randomTree(r)
		src := p.Links.followed(links)
		checkLinks(t, p.Links, links, src)
		before := randomCopy(r, links)
		dst := maps.Clone(before)

		done, exceeded := apply(p, k, src, dst)
		o := &outcome{t, p, k, exceeded, src, before, dst}
		o.checkDirectory(".")
		after := maps.Clone(dst)
		again, _ := apply(p, k, src, dst)
		if p.Sync && !p.IgnoreTimes && (k.Mtime || p.SizeOnly || p.Checksum) && len(again) > 0 || !maps.Equal(dst, after) && k.Mtime {
			t.Errorf("to plan again does %q", again)
		}
		if t.Failed() {
			t.Logf("policy %+v, keep %+v\ndone %q, exceeded %v\nsource %v\nbefore %v\nafter  %v", p, k, done, exceeded, src, before, after)
		}
	})
}

// checkLinks checks which links of a tree are copied as such. What is below one that is followed may be in the
// tree more than once.
func checkLinks(t *testing.T, l Links, before, after tree) {
	t.Helper()
	for name, n := range after {
		unsafe := n.contents == "/etc" || n.contents == "../b" && !strings.Contains(name, "/")
		switch {
		case n.mode.Type() != link:
		case l.Copy:
			t.Errorf("%s is not followed", name)
		case (l.Safe || l.CopyUnsafe) && unsafe:
			t.Errorf("%s, which leads to %s, is copied as a link", name, n.contents)
		}
	}
	if (l == Links{}) && !maps.Equal(before, after) {
		t.Error("links are not copied as they are")
	}
}
