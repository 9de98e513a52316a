package suite

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/vfs"
)

// asyncRules test methods that may return before it is known whether an entry could be made.
var asyncRules = []rule{
	{name: "CreateAsync makes a file when it is committed", needs: vfs.CanCreateAsync, check: func(t *testing.T, d vfs.Dir) {
		f := createAsync(t, d, "f")
		write(t, f, "contents", 0)
		_, err := f.Commit(nil, false)
		must(t, err)
		_, err = createAsync(t, d, "empty").Commit(nil, false)
		must(t, err)
	}, want: "empty 604\nf 604 contents\n"},
	{name: "an asynchronous file can be changed before it is finished", needs: vfs.CanCreateAsync, check: func(t *testing.T, d vfs.Dir) {
		f := createAsync(t, d, "f")
		write(t, f, "contents", 4)
		write(t, f, "more", 0)
		must(t, f.Truncate(10))
		wantErrors(t, f.Set([]vfs.Change{{Kind: vfs.ModeChange, Mode: 0o640}}))
		if attr, err := vfs.Stat(f); err != nil || attr.Size != 10 || attr.Mode != 0o640 {
			t.Errorf("Stat = %+v, %v", attr, err)
		}
		errs, err := f.Commit(nil, false)
		must(t, err)
		wantErrors(t, errs)
	}, want: "f 640 moreconten\n"},
	{name: "Finish carries out operations when the contents are there", needs: vfs.CanCreateAsync, check: func(t *testing.T, d vfs.Dir) {
		f := createAsync(t, d, "f")
		write(t, f, "contents", 0)
		errs, err := f.Commit([]vfs.Change{
			{Kind: vfs.ModeChange, Mode: 0o640},
			{},
			{Kind: vfs.TimesChange, Mtime: now},
		}, true)
		must(t, err)
		wantErrors(t, errs)
		if got := lstat(t, d, "f").Mtime; !got.Equal(now) {
			t.Errorf("the modification time is %v, want %v", got, now)
		}
	}, want: "f 640 contents\n"},
	{name: "an asynchronous file that is only closed leaves nothing", needs: vfs.CanCreateAsync, check: func(t *testing.T, d vfs.Dir) {
		f := createAsync(t, d, "nothing")
		must(t, f.Close())
		f = createAsync(t, d, "part")
		write(t, f, "contents", 0)
		must(t, f.Close())
		f = createAsync(t, d, "known")
		write(t, f, "contents", 0)
		_, err := vfs.Stat(f)
		must(t, err)
		must(t, f.Close())
		put(t, d, "f", "other")
	}, want: "f 644 other\n"},
	{
		name: "an asynchronous file that cannot be made leaves what has its name", needs: vfs.CanCreateAsync,
		tree: "dir/f 644 within\nfile 640 precious\nlink -> file\n",
		check: func(t *testing.T, d vfs.Dir) {
			for _, name := range []string{"file", "dir", "link"} {
				for how, end := range map[string]func(vfs.File) error{
					"Commit": func(f vfs.File) error {
						_, err := f.Commit(nil, false)
						return err
					},
					"Commit with changes": func(f vfs.File) error {
						_, err := f.Commit([]vfs.Change{{Kind: vfs.ModeChange, Mode: 0o777}}, false)
						return err
					},
					"Stat": func(f vfs.File) error {
						_, err := vfs.Stat(f)
						return vfs.JoinErrors(err, f.Close())
					},
				} {
					f, err := d.OpenFile(name, vfs.CreateAsync, 0o604)
					if err == nil {
						_, _ = f.WriteAt([]byte("new"), 0)
						err = end(f)
					}
					if !errors.Is(err, fs.ErrExist) {
						t.Errorf("%s of %s: %v", how, name, err)
					}
				}
			}
		}, want: "dir/ 755\ndir/f 644 within\nfile 640 precious\nlink -> file\n",
	},
	{name: "mkdirAsync makes a directory that can be worked in at once", needs: vfs.CanMkdirAsync, check: func(t *testing.T, d vfs.Dir) {
		must(t, d.Make("dir", vfs.Spec{Mode: fs.ModeDir | 0o705, Async: true}))
		dir := openDir(t, d, "dir")
		must(t, dir.Make("sub", vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}))
		sub := openDir(t, dir, "sub")
		put(t, sub, "f", "contents")
		if attr := lstat(t, dir, "."); attr.Mode != fs.ModeDir|0o705 {
			t.Errorf("the mode is %v", attr.Mode)
		}
	}, want: "dir/ 705\ndir/sub/ 700\ndir/sub/f 644 contents\n"},
	{
		name: "MakeDirs makes and changes directories, and says which it could not make", needs: vfs.CanMkdirAsync | vfs.CanCreateAsync,
		tree: "there/\n", check: func(t *testing.T, d vfs.Dir) {
			mode := []vfs.Change{{Kind: vfs.ModeChange, Mode: 0o711}}
			wait, err := d.MakeDirs([]vfs.NewDir{
				{Name: "a", Perm: 0o700, Changes: mode},
				{Name: "there", Perm: 0o700, Changes: mode},
				{Name: "b", Perm: 0o705},
				{Name: "c", Perm: 0o700, Changes: []vfs.Change{{Kind: vfs.XattrChange, Xattr: "none", Value: []byte("x")}}},
			})
			must(t, err)
			errs := wait()
			if len(errs) != 4 || errs[0] != nil || !errors.Is(errs[1], fs.ErrExist) || errs[2] != nil || !errors.As(errs[3], new(*vfs.PartialError)) {
				t.Errorf("got %v", errs)
			}
		}, want: "a/ 711\nb/ 705\nc/ 700\nthere/ 755\n",
	},
	{name: "an asynchronous directory can be opened in each way", needs: vfs.CanMkdirAsync, tree: "in/\n", check: func(t *testing.T, d vfs.Dir) {
		for range 20 { // operations that are not waited for may end in any order
			for _, how := range []vfs.Resolve{vfs.NoFollow, vfs.Follow, vfs.NoXDev} {
				must(t, d.Make("dir", vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}))
				dir, err := d.OpenDir("dir", how)
				must(t, err)
				put(t, dir, "f", "contents")
				must(t, dir.Remove("f", nil))
				must(t, dir.Close())
				must(t, d.Rmdir("dir"))
			}
			in, err := d.OpenDir("in", vfs.NoFollow)
			must(t, err)
			must(t, in.Make("dir", vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}))
			must(t, in.Close())
			again := openDir(t, d, "in")
			must(t, isOpened(again, "dir"))
			must(t, again.Rmdir("dir"))
		}
	}, want: "in/ 755\n"},
	{name: "a directory keeps its times although asynchronous ones were being made in it", needs: vfs.CanMkdirAsync, tree: "in/\n", check: func(t *testing.T, d vfs.Dir) {
		in := openDir(t, d, "in")
		names := []string{"a", "b", "c", "d", "e", "f", "g"}
		for _, name := range names {
			must(t, in.Make(name, vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}))
		}
		must(t, vfs.Chtimes(vfs.In(in, "."), now, now))
		for _, name := range names {
			must(t, isOpened(in, name))
		}
		if got := lstat(t, d, "in").Mtime; !got.Equal(now) {
			t.Errorf("the modification time is %v, want %v", got, now)
		}
		for _, name := range names {
			must(t, in.Rmdir(name))
		}
	}, want: "in/ 755\n"},
	{
		name: "an asynchronous directory that cannot be made says so when it is opened", needs: vfs.CanMkdirAsync,
		tree: "dir/f 644 within\nfile 640 precious\nlink -> dir\n",
		check: func(t *testing.T, d vfs.Dir) {
			for _, name := range []string{"file", "dir", "link"} {
				err := d.Make(name, vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true})
				if err == nil {
					err = isOpened(d, name)
				}
				if !errors.Is(err, fs.ErrExist) {
					t.Errorf("%s: %v", name, err)
				}
			}
			must(t, isOpened(d, "dir"))
		}, want: "dir/ 755\ndir/f 644 within\nfile 640 precious\nlink -> dir\n",
	},
	{name: "Set makes changes in their order", needs: vfs.CanCreateAsync, tree: "dir/\nfile 644 contents\n", check: func(t *testing.T, d vfs.Dir) {
		for _, name := range []string{"dir", "file"} {
			wantErrors(t, d.Set(name, []vfs.Change{{Kind: vfs.ModeChange, Mode: 0o750}, {}, {Kind: vfs.TimesChange, Mtime: now}}))
			if got := lstat(t, d, name).Mtime; !got.Equal(now) {
				t.Errorf("the modification time of %s is %v, want %v", name, got, now)
			}
		}
		wantErrors(t, d.Set(".", []vfs.Change{{Kind: vfs.ModeChange, Mode: 0o700}}))
		if got := lstat(t, d, ".").Mode; got != fs.ModeDir|0o700 {
			t.Errorf("the mode of the directory itself is %v", got)
		}
	}, want: "dir/ 750\nfile 750 contents\n"},
	{name: "Set stops at a fatal error", needs: vfs.CanCreateAsync, check: func(t *testing.T, d vfs.Dir) {
		errs := d.Set("missing", []vfs.Change{{}, {Kind: vfs.ModeChange, Mode: 0o644}, {Kind: vfs.TimesChange, Mtime: now}})
		if len(errs) < 2 || errs[0] != nil || !errors.Is(errs[1], fs.ErrNotExist) || len(errs) > 2 && errs[2] == nil {
			t.Errorf("Set = %v", errs)
		}
	}},
}

// createAsync opens a file with CreateAsync, which must succeed. The caller closes the file.
func createAsync(t testing.TB, d vfs.Dir, name string) vfs.File {
	t.Helper()
	f, err := d.OpenFile(name, vfs.CreateAsync, 0o604)
	must(t, err)
	return f
}

func wantErrors(t testing.TB, errs []error, want ...error) {
	t.Helper()
	if len(errs) != len(want) {
		t.Fatalf("the errors are %v, want %v", errs, want)
	}
	for i := range want {
		if !errors.Is(errs[i], want[i]) {
			t.Errorf("error %d is %v, want %v", i, errs[i], want[i])
		}
	}
}

// isOpened returns the error of opening a directory and calling Lstat(".") on it.
func isOpened(d vfs.Dir, name string) error {
	sub, err := d.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return err
	}
	_, err = vfs.Lstat(sub, ".")
	return vfs.JoinErrors(err, sub.Close())
}
