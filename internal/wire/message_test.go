package wire_test

import (
	"io/fs"
	"math"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

func at(sec int64) time.Time { return time.Unix(sec, 987654321) }

func attrSample() vfs.Attr {
	return vfs.Attr{
		Mode: fs.ModeDir | fs.ModeSetgid | 0o755, Flags: 1, Size: math.MaxInt64, Blocks: 8, UID: math.MaxUint32, GID: 5,
		Atime: at(-1), Mtime: at(1<<40 + 1), Ctime: math.MinInt64, Dev: math.MaxUint64, Ino: 1 << 63, Nlink: 2, Rdev: 7,
		Btime: at(0),
	}
}

func infoSample() wire.DirInfo {
	return wire.DirInfo{
		Attr: attrSample(),
		Volume: vfs.Volume{
			Network: true, Granularity: time.Second, Folds: true, KeepsAttrs: true, OwnersIgnored: true,
			SlowExclusive: true, AppleDouble: true, ServerACLs: true, LacksACLs: true, RootIno: 2, DOSFlags: true,
			CopiesUp: true, TimesStay: true,
		},
		Caps: vfs.CanNode | vfs.CanLink, HasDefaultACL: true,
	}
}

func extraSample() *wire.Extra {
	return &wire.Extra{
		Flags: 3, FlagsError: &wire.Error{Name: "EIO"}, XattrError: &wire.Error{Name: "EPERM", Text: "no"},
		Xattrs: []wire.Xattr{{Name: "user.a/b", Value: []byte{0, 1}, Long: true}},
	}
}

func changeSamples() []vfs.Change {
	return []vfs.Change{{
		Kind: vfs.XattrPiece, OnlySetID: true, Mode: 0o644, UID: -1, GID: math.MaxUint32, Atime: at(1), Mtime: at(2), Btime: at(3),
		Flags: 4, UserFlags: 5, DOSFlags: 6, Xattr: "user.x", Value: []byte("v"), Off: 7,
	}, {}}
}

// samples returns messages of every kind; each field is set in one of them.
func samples() []wire.Message {
	attr, info, extra, changes := attrSample(), infoSample(), extraSample(), changeSamples()
	target, old := wire.Target{Dir: 1, Name: "name"}, wire.Target{Dir: 2, Name: "old"}
	only := vfs.Premise{Type: fs.ModeSymlink, Ino: 1, Size: 2, Mtime: at(3), Ctime: 4, Nlink: 5, Follow: true}
	failure := &wire.Error{Name: "ENOENT", Text: "text", GroupOnly: true}
	return []wire.Message{
		&wire.Hello{Major: 1, Name: "v1", Compress: wire.CompressNever},
		&wire.Welcome{
			Hello: wire.Hello{Major: 1, Name: "v1", Compress: wire.CompressNever},
			Info:  vfs.HostInfo{System: "linux", User: vfs.User{UID: 1, GID: 2, Groups: []int{3, 4}}, BootID: "b"},
			Umask: 0o22, Limit: 256, Socket: "/s", Token: []byte("t"),
		},
		&wire.Join{Token: []byte("t")},
		&wire.Replace{Session: "psync-1", Token: []byte("t")},
		&wire.Ack{Number: 5},
		&wire.Probe{Number: 1 << 40},
		&wire.Ping{},
		&wire.Done{},
		&wire.Prepare{Preparation: vfs.Preparation{FetchDataless: true, Xattrs: true, ACLs: true, Flags: true}},
		&wire.ClearUmask{},
		&wire.PathQuery{Query: wire.QueryInside, Path: "../a", Outer: "/"},
		&wire.Paths{Paths: []string{"", "a/../b", "\xff"}, Inside: true},
		&wire.Account{Account: vfs.Account{Kind: vfs.GroupAccount, ID: 1, Name: "staff"}},
		&wire.OpenPath{
			New: 1, Path: "/p",
			Options: vfs.OpenOptions{Noatime: true, Trusted: true, Insecure: true, Strict: true, Mkdir: true, MkdirAll: true, Perm: 0o777},
		},
		&wire.OpenDir{New: 1, Dir: 2, Name: "d", How: vfs.NoXDev},
		&wire.OpenDir{New: 1, Dir: 2, How: vfs.Parent},
		&wire.Opened{DirInfo: info},
		&wire.Mkdir{New: 1, Dir: 2, Name: "d", Perm: 0o700},
		&wire.Close{Handle: math.MaxUint64},
		&wire.List{Dir: 1, Ahead: 2, Below: []string{"a", "b"}},
		&wire.List{Dir: 1, Ahead: 1 << 20, Most: 1 << 20, Cursor: 3, Continue: true},
		&wire.Listing{
			Path: "a/b", First: true, Info: &info, Last: true, Failure: failure, End: true, Seq: 9,
			Entries: []wire.Entry{{Name: "e", Attr: attr, Gone: true, Target: "../t", Extra: extra}, {Name: "..."}},
		},
		&wire.Listing{Last: true, More: true, End: true},
		&wire.Listing{},
		&wire.Lstat{Target: target, Follow: true},
		&wire.Lstat{Target: wire.Target{Dir: 1, Name: "."}},
		&wire.Lstat{Target: wire.Target{Dir: 1}, Change: true, Fresh: true},
		&wire.AttrAnswer{Attr: attr},
		&wire.Readlink{Target: target},
		&wire.Symlink{Target: target, To: "/../x"},
		&wire.Link{Old: old, Target: target},
		&wire.Mknod{Target: target, Mode: fs.ModeDevice, Dev: 1},
		&wire.Rename{Old: old, Target: target, Only: &only},
		&wire.Remove{Target: target, IsDir: true},
		&wire.Remove{Target: target, Only: &only},
		&wire.Count{Dir: 1},
		&wire.Counted{Files: 1, Bytes: 2, Known: true},
		&wire.MakeDirs{Dir: 1, Dirs: []vfs.NewDir{{Name: "d", Perm: 0o700, Changes: changes}, {Name: "e"}}},
		&wire.MadeDirs{Failed: []wire.FailedDir{{Index: 1, Made: true, Error: failure}}},
		&wire.Sync{Handle: 1, Volume: true},
		&wire.Get{New: 1, Dir: 2, Name: "f", How: vfs.Follow, Max: wire.MaxData},
		&wire.Got{Attr: attr, Caps: 1, Extra: extra, Whole: true, Data: []byte("data"), After: attr},
		&wire.Got{Attr: attr},
		&wire.Read{File: 1, Off: 2, N: 3},
		&wire.Data{Data: make([]byte, wire.MaxData), EOF: true},
		&wire.NextData{File: 1, Off: 2},
		&wire.Range{Start: 1, End: 2},
		&wire.Sums{File: 1, Off: 2, N: 3, Block: 4},
		&wire.Sums{File: 1, Off: 2, N: 3, Block: 4, Key: make([]byte, 16)},
		&wire.Create{New: 1, Dir: 2, Name: "f", Perm: 0o600, Mode: vfs.OpenCreate, Unfinished: true},
		&wire.Write{File: 1, Off: 2, Data: []byte("data")},
		&wire.Resize{File: 1, How: wire.Preallocate, Off: 2, N: 3},
		&wire.Copy{File: 1, From: 2, Off: 3, N: -1},
		&wire.Number{N: 1},
		&wire.Finish{File: 1, Writes: 2, Changes: changes, Sync: true},
		&wire.Put{Dir: 1, Name: "f", Perm: 0o600, Size: 9, Parts: []wire.Part{{Off: 1, Data: []byte("data")}, {}}, Changes: changes, Sync: true},
		&wire.Set{Target: target, Changes: changes},
		&wire.SetAnswer{Errors: []*wire.Error{nil, failure}, Failure: failure},
		&wire.Xattrs{Target: target, ACLs: true},
		&wire.Names{Names: []string{"user.a"}},
		&wire.ReadXattr{Target: target, Attr: "user.a", Long: true, Off: 1, N: 2},
		&wire.XattrSize{Target: target, Attr: "user.a"},
		&wire.Flags{Target: target},
		failure,
	}
}
