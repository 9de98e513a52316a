package volume

import (
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
	async := dir.Caps()&vfs.CanCreateAsync != 0 // if so, nothing is made if Commit fails
	mode := vfs.Create
	if async {
		mode = vfs.CreateAsync
	}
	f, err := dir.OpenFile(name, mode, 0o600)
	if err != nil {
		return true, false
	}
	if !async {
		vfs.CloseUnwritten(f)
	} else if _, err := f.Commit(nil, false); err != nil {
		return true, false
	}
	_, err = vfs.Lstat(dir, strings.ToUpper(name))
	return err == nil, true
}
