package volume

import (
	"errors"
	"io/fs"
	"strings"
	"sync"

	"psync/internal/vfs"
)

// caseSensitivity holds whether a volume ignores case.
type caseSensitivity struct {
	mu      sync.Mutex // guards the fields below
	known   bool
	ignored bool
}

// FoldsCase reports whether the volume ignores case. It calls try if that is not known yet.
func (v *Volume) FoldsCase(try func() bool) bool {
	v.names.mu.Lock()
	defer v.names.mu.Unlock()
	if !v.names.known {
		v.names.ignored, v.names.known = try(), true
	}
	return v.names.ignored
}

// IsExact reports whether the volume is known to distinguish all names that it stores.
func (v *Volume) IsExact() bool { return v.KeepsAttrs && !v.Folds }

// TryCase makes a file in dir and looks up its name, which has lower-case letters, in upper case. If
// no file can be made, it assumes that case is ignored. If made is true, the caller removes the file.
func TryCase(dir vfs.Dir, name string) (ignored, made bool) {
	for n := 0; ; n++ {
		err := makeEmpty(dir, name)
		switch {
		case err == nil || made && errors.Is(err, fs.ErrExist):
			_, err = vfs.Lstat(dir, strings.ToUpper(name))
			return err == nil, true
		case !vfs.StartsAgain(n, err):
			return true, made
		}
		made = true // only the answer may be lost
	}
}

// makeEmpty makes an empty file. If that fails, there is none, unless the error is an [vfs.OutageError].
func makeEmpty(dir vfs.Dir, name string) error {
	mode := vfs.Create
	async := dir.Caps().Has(vfs.CanCreateAsync)
	if async {
		mode = vfs.CreateAsync
	}
	f, err := dir.OpenFile(name, mode, 0o600)
	switch {
	case err != nil:
		return err
	case async:
		_, err = f.Commit(nil, false)
		return err
	}
	vfs.CloseUnwritten(f)
	return nil
}
