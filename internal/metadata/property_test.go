package metadata

import (
	"cmp"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// FuzzPlan plans and carries out changes between random entries, for users of all rights and on every system.
// No operation may prevent another one, the outcome must be as wanted, and a second plan must have nothing to
// do.
func FuzzPlan(f *testing.F) {
	fuzzRandomRuns(f, 1, func(t *testing.T, r *rand.Rand, p *Profile, user vfs.User, k Keep) {
		typ := []fs.FileMode{0, 0, fs.ModeDir, fs.ModeSymlink, fs.ModeNamedPipe}[r.IntN(5)]
		src, dst := randomState(r, p, typ), randomState(r, p, typ)
		if r.IntN(4) == 0 {
			src.Mode = src.Mode&^fs.ModePerm | 0o640 // the mode that the user wants, whatever ACLs say
		}
		if dst.Flags&p.LockFlags&^p.Liftable(k, user) != 0 {
			dst.Flags &^= p.LockFlags
		}
		if !k.ACLs {
			dst.remove(securityName) // an attribute that is not read cannot be considered
		}
		if !user.Privileged() {
			dst.UID = uint32(user.UID)
		}
		if p.BtimeFalls {
			dst.Btime = earlier(dst.Btime, dst.Mtime)
		}
		c := PlanContext{User: user, SetTimes: r.IntN(4) == 0}

		ops := p.Plan(nil, k, c, &src, &dst)
		checkOrder(t, p, ops)
		checkValues(t, p, ops, &src)
		after := dst
		if err := (world{p, user}).do(&after, ops); err != nil {
			t.Fatalf("%s: %v\nsrc %+v\ndst %+v", describe(ops), err, src, dst)
		}
		if user.Privileged() {
			if d := unlike(p, k.For(typ), &src, &after); d != 0 {
				t.Errorf("%s leaves differences %b\nsrc %+v\ndst %+v\nnow %+v", describe(ops), d, src, dst, after)
			}
		}
		c.SetTimes = false
		again := p.Plan(nil, k, c, &src, &after)
		if Diff(again) != 0 || slices.ContainsFunc(again, func(op Op) bool { return !op.Never }) {
			t.Errorf("%s, and then again %s\nkeep %+v\nsrc %+v\ndst %+v\nnow %+v", describe(ops), describe(again), k, src, dst, after)
		}
	})
}

// fuzzRandomRuns checks random users who keep random attributes on all systems. All other random values come
// from r. stream distinguishes tests that use the same seeds.
func fuzzRandomRuns(f *testing.F, stream uint64, check func(t *testing.T, r *rand.Rand, p *Profile, user vfs.User, k Keep)) {
	for seed := range uint64(3000) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, stream))
		p := []*Profile{Linux, Darwin, FreeBSD}[r.IntN(3)]
		user := []vfs.User{root, alice, {UID: 7, GID: 7}}[r.IntN(3)]
		check(t, r, p, user, randomKeep(r))
	})
}

// checkOrder checks the order of the operations of a plan.
func checkOrder(t *testing.T, p *Profile, ops []Op) {
	t.Helper()
	type pair struct{ first, then Class }
	rules := []pair{
		{Unlock, Free},
		{Unlock, Xattrs},
		{Unlock, Owner},
		{Free, Xattrs},
		{Free, Times},
		{Free, Rename},
		{Grant, Xattrs},
		{Xattrs, Mode},
		{Owner, Mode},
		{Mode, ACLs},
		{Owner, LateXattr},
		{Mode, LateXattr},
		{Xattrs, Times},
		{LateXattr, Times},
		{Times, Rename},
		{Btime, Rename},
		{Times, Flags},
	}
	switch p {
	case Darwin:
		rules = append(rules, pair{Times, Btime}, pair{Times, ACLs}, pair{Rename, ACLs})
	case FreeBSD:
		rules = append(rules, pair{Btime, Times}, pair{ACLs, Times})
	default:
		rules = append(rules, pair{ACLs, Times}, pair{ACLs, LateXattr})
	}
	index := func(c Class) (first, last int) {
		first = slices.IndexFunc(ops, func(op Op) bool { return op.Class == c })
		for i, op := range ops {
			if op.Class == c {
				last = i
			}
		}
		return first, last
	}
	for _, rule := range rules {
		_, last := index(rule.first)
		if first, _ := index(rule.then); first >= 0 && last > first {
			t.Errorf("%s: class %d comes after class %d", describe(ops), rule.first, rule.then)
		}
	}
	for i, op := range ops {
		if op.Class == Flags && i != len(ops)-1 {
			t.Errorf("%s: flags do not come last", describe(ops))
		}
	}
	_, after := Cut(ops)
	for _, op := range after {
		if op.Class != Flags && (op.Class != ACLs || p != Darwin) {
			t.Errorf("%s: class %d comes after the name", describe(ops), op.Class)
		}
	}
}

// checkValues checks the values of each operation.
func checkValues(t *testing.T, p *Profile, ops []Op, src *State) {
	t.Helper()
	for _, op := range ops {
		if name := op.Xattr.Name; name != "" && p.Xattr(name)&Copies == 0 {
			t.Errorf("%s is changed", name)
		}
		if op.Remove && p.Xattr(op.Xattr.Name)&Deletes == 0 {
			t.Errorf("%s is removed", op.Xattr.Name)
		}
		if op.Class == Mode && op.Mode&fs.ModeType != 0 {
			t.Errorf("mode %v", op.Mode)
		}
		if op.Never && op.Diff != 0 || op.Never && op.Lost == 0 {
			t.Errorf("%s: is not tried, makes up for %b, and loses %v", describe([]Op{op}), op.Diff, op.Lost)
		}
	}
}

// TestPlanGivesNoRights tries all owners: a set-id bit of the source is set only for
// the owner, or group, that the source has.
func TestPlanGivesNoRights(t *testing.T) {
	ids := []uint32{0, 7, 501}
	for _, user := range []vfs.User{root, alice, {UID: 7, GID: 7}} {
		for i := range 3 * 3 * 3 * 3 {
			src := State{}
			src.Mode = setID | 0o755
			dst := State{}
			dst.Mode = 0o755
			src.UID, src.GID, dst.UID, dst.GID = ids[i%3], ids[i/3%3], ids[i/9%3], ids[i/27%3]
			for bits := range 8 {
				k := Keep{Perms: true, Owner: bits&1 != 0, Group: bits&2 != 0}
				c := PlanContext{User: user}
				if bits&4 != 0 {
					c.Ignored = report.Owner | report.Group
				}
				ops := Linux.Plan(nil, k, c, &src, &dst)
				uid, gid := dst.UID, dst.GID
				for _, op := range ops {
					if op.Class == Owner && !op.Never {
						uid, gid = uint32(max(op.UID, int(uid)*b2i(op.UID < 0))), uint32(max(op.GID, int(gid)*b2i(op.GID < 0)))
					}
					if op.Class == Mode && (op.Mode&fs.ModeSetuid != 0 && uid != src.UID || op.Mode&fs.ModeSetgid != 0 && gid != src.GID) {
						t.Errorf("%+v by %+v, from %d:%d to %d:%d: %s", k, user, src.UID, src.GID, dst.UID, dst.GID, describe(ops))
					}
				}
			}
		}
	}
}

func randomKeep(r *rand.Rand) Keep {
	if r.IntN(3) == 0 {
		return everything
	}
	yes := func() bool { return r.IntN(2) == 0 }
	return Keep{
		Perms: yes(), Owner: yes(), Group: yes(), Mtime: yes(), Atime: yes(), Btime: yes(), Flags: yes(),
		ACLs: yes(), Xattrs: yes(), OmitDirTimes: yes(), OmitLinkTimes: yes(),
	}
}

// randomState returns a state that an entry may be in on a system.
func randomState(r *rand.Rand, p *Profile, typ fs.FileMode) State {
	one := func(ids ...uint32) uint32 { return ids[r.IntN(len(ids))] }
	at := func() time.Time { return now.Add(time.Duration(r.IntN(4)) * time.Hour) }
	var s State
	s.Mode = typ | fs.FileMode(one(0o644, 0o444, 0o755, 0o600, 0o077))
	for _, bit := range []fs.FileMode{fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky} {
		if r.IntN(5) == 0 && typ != fs.ModeSymlink {
			s.Mode |= bit
		}
	}
	s.UID, s.GID = one(0, 7, 501), one(0, 7, 20, 80)
	s.Mtime, s.Atime, s.Btime = at(), at(), at()
	if typ.IsRegular() || typ.IsDir() || p.StatHasFlags {
		s.Flags = r.Uint32() & r.Uint32() & (p.OwnerFlags | p.RootFlags)
	}
	for _, name := range []string{
		"user.a", "user.b", "security.capability", "security.selinux", "security.ima", "trusted.x",
		posixAccess, posixDefault, nfs4ACL, bsdPosixAccess, bsdNFS4ACL, "system.x", "system.mac_biba",
		securityName, "com.apple.provenance", "com.apple.macl", "com.apple.quarantine", "com.apple.ResourceFork",
		"com.apple.metadata:tags", "org.example.never#N", "org.example",
	} {
		if r.IntN(3) != 0 || !belongs(p, typ, name) {
			continue
		}
		x := Xattr{Name: name, Value: randomValue(r, name, s.Mode)}
		x.Unread = r.IntN(20) == 0
		if x.Unread {
			x.Value = nil
		}
		x.Trivial = p.Xattr(name)&IsACL != 0 && p.TrivialACL(name, x.Value)
		s.Xattrs = append(s.Xattrs, x)
	}
	slices.SortFunc(s.Xattrs, func(a, b Xattr) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// belongs reports whether an entry may have an extended attribute.
func belongs(p *Profile, typ fs.FileMode, name string) bool {
	acl := p.Xattr(name)&IsACL != 0
	switch {
	case p == Darwin:
		return typ != fs.ModeNamedPipe && (!acl || typ != fs.ModeSymlink)
	case acl:
		return typ != fs.ModeSymlink
	}
	return typ.IsRegular() || typ.IsDir()
}

func randomValue(r *rand.Rand, name string, mode fs.FileMode) []byte {
	yes := r.IntN(2) == 0
	perm := uint16(mode.Perm())
	aces := modeACL(perm)
	if yes {
		aces = withUser(perm)
	}
	switch name {
	case posixAccess, posixDefault:
		return posix(aces...)
	case bsdPosixAccess:
		return posixBSD(aces...)
	case nfs4ACL:
		return nfs4(nfs4ACE{0, 0, uint32(r.IntN(3)), []string{"OWNER@", "bob"}[r.IntN(2)]})
	case bsdNFS4ACL:
		return bsd(bsdACE{uint32(1 + r.IntN(2)), 0, uint32(r.IntN(3)), bsdAllow, 0})
	case securityName:
		return filesec{None: r.IntN(3) == 0, Entries: []filesecACE{{everyone, deny, uint32(r.IntN(3))}}}.encode()
	}
	return []byte{byte(r.IntN(3))}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// FuzzUpToDate compares [UpToDate] with plans for entries that are equal or differ in one attribute.
func FuzzUpToDate(f *testing.F) {
	fuzzRandomRuns(f, 2, func(t *testing.T, r *rand.Rand, p *Profile, user vfs.User, k Keep) {
		if r.IntN(2) == 0 {
			k.ACLs, k.Xattrs, k.Flags, k.Btime, k.Atime = false, false, false, false, false
		}
		src := randomState(r, p, []fs.FileMode{0, fs.ModeDir, fs.ModeSymlink}[r.IntN(3)])
		dst := src
		differ := []func(){
			func() {},
			func() { dst.Mode ^= 0o020 },
			func() { dst.Mode |= fs.ModeSetgid },
			func() { dst.UID++ },
			func() { dst.GID++ },
			func() { dst.Mtime = dst.Mtime.Add(3 * time.Second) },
		}
		differ[r.IntN(len(differ))]()
		upToDate := UpToDate(k, &src.Attr, &dst.Attr)
		if ops := p.Plan(nil, k, PlanContext{User: user}, &src, &dst); upToDate && len(ops) > 0 {
			t.Errorf("%s\nkeep %+v\nsrc %+v\ndst %+v", describe(ops), k, src, dst)
		}
	})
}

func TestUpToDate(t *testing.T) {
	entry := vfs.Attr{Mode: 0o644, UID: 1, GID: 2, Mtime: time.Unix(1, 0), Size: 3}
	tests := []struct {
		name   string
		keep   Keep
		change func(*vfs.Attr)
		want   bool
	}{
		{"alike", Keep{Perms: true, Owner: true, Group: true, Mtime: true}, func(*vfs.Attr) {}, true},
		{"what is not kept", Keep{}, func(a *vfs.Attr) { a.Atime, a.Ino, a.Ctime = time.Unix(9, 0), 9, 9 }, true},
		{"another zone", Keep{Mtime: true}, func(a *vfs.Attr) { a.Mtime = a.Mtime.UTC() }, true},
		{"mode", Keep{Perms: true}, func(a *vfs.Attr) { a.Mode = 0o640 }, false},
		{"time", Keep{Mtime: true}, func(a *vfs.Attr) { a.Mtime = time.Unix(2, 0) }, false},
		{"access time", Keep{Atime: true}, func(*vfs.Attr) {}, false},
		{"attributes that are not looked at", Keep{Xattrs: true}, func(*vfs.Attr) {}, false},
	}
	for _, tt := range tests {
		there := entry
		tt.change(&there)
		if got := UpToDate(tt.keep, &entry, &there); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
