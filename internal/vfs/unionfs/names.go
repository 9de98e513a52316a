package unionfs

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/vfs"
)

// maxBatch is how many entries are yielded at a time.
const maxBatch = 1024

// ReadDir yields the entries that are shown once all members have been listed.
func (d *Dir) ReadDir(yield func([]vfs.Entry) error) error {
	var entries []vfs.Entry
	var owners []int              // of entries
	names := make(map[string]int) // their places in entries
	var failed error
	for i, m := range d.members {
		if m.err != nil {
			failed = cmp.Or(failed, m.err)
			continue
		}
		err := m.Dir.ReadDir(func(some []vfs.Entry) error {
			for _, e := range some {
				at, known := names[e.Name]
				switch {
				case !m.has(d.path, e.Name):
				case !known:
					names[e.Name] = len(entries)
					entries, owners = append(entries, e), append(owners, i)
				case owners[at] != i && d.rank(m.Dir, e) > d.rank(d.members[owners[at]].Dir, entries[at]):
					entries[at], owners[at] = e, i
				}
			}
			return nil
		})
		failed = cmp.Or(failed, err)
	}
	for name, at := range names {
		names[name] = owners[at]
	}
	d.mu.Lock()
	d.names = names
	d.mu.Unlock()
	for batch := range slices.Chunk(entries, maxBatch) {
		if err := yield(batch); err != nil {
			return err
		}
	}
	return failed
}

// rank returns a higher number for what is shown rather than another entry of the same name.
func (d *Dir) rank(dir vfs.Dir, e vfs.Entry) int {
	isDir := e.Type.IsDir()
	if d.options.Follow && e.Type == fs.ModeSymlink {
		attr, err := dir.Statx(e.Name, vfs.StatxFollow)
		isDir = err == nil && attr.Mode.IsDir()
	}
	switch {
	case d.options.Hidden != nil && d.options.Hidden(vfs.Join(d.path, e.Name), isDir):
		return 0
	case isDir && d.isMount(dir, e.Name):
		return 2
	case isDir:
		return 3
	}
	return 1
}

// get returns what op returns for the member that an entry belongs to. If it is no longer there, another one may have
// such an entry.
func get[T any](d *Dir, name string, op func(vfs.Dir) (T, error)) (result T, err error) {
	if name == "." {
		return op(d.Dir)
	}
	d.mu.Lock()
	i, known := d.names[name]
	d.mu.Unlock()
	if known {
		if result, err = op(d.members[i].Dir); !errors.Is(err, fs.ErrNotExist) {
			return result, err
		}
	}
	i, err = d.find(name)
	d.remember(name, i)
	if err != nil {
		return result, err
	}
	return op(d.members[i].Dir)
}

const unknown = -1

// remember notes which member an entry belongs to.
func (d *Dir) remember(name string, member int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case member == unknown:
		delete(d.names, name)
	case d.names == nil:
		d.names = map[string]int{name: member}
	default:
		d.names[name] = member
	}
}

// find asks all members which one an entry belongs to. If a member cannot be asked, and no other has the entry, it
// returns the error.
func (d *Dir) find(name string) (member int, err error) {
	member, best := unknown, unknown
	var failed error
	for i, m := range d.members {
		if !m.has(d.path, name) {
			continue
		}
		var attr vfs.Attr
		err := m.err
		if err == nil {
			attr, err = m.Dir.Statx(name, vfs.StatxFresh)
		}
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				failed = cmp.Or(failed, err)
			}
			continue
		}
		if r := d.rank(m.Dir, vfs.Entry{Name: name, Type: attr.Mode.Type()}); r > best {
			member, best = i, r
		}
	}
	if member == unknown {
		return member, cmp.Or(failed, notExist("lstat", name))
	}
	return member, nil
}
