package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An original is what a directory of the destination was before the run changed it. A
// directory for backups that stands for it becomes the same.
type original struct {
	attr vfs.Attr
	up   *original // of the directory above; nil for the root, or if not known

	mu       sync.Mutex // guards what follows until read is true; then it stays as it is
	read     bool
	now      metadata.State // as it was when it was read, with its ACLs and extended attributes
	extended bool           // it can have those
	knowsACL bool
}

// path returns the originals of the last n directories on the way to o, outermost first.
// Those that are not known are nil.
func (o *original) path(n int) []*original {
	list := make([]*original, n)
	for i := n - 1; i >= 0 && o != nil; i-- {
		list[i], o = o, o.up
	}
	return list
}

// remember returns what d, whose destination has the mode found, is at the moment, if backups of
// what is in it may go to another directory.
func (w *worker) remember(attr vfs.Attr, found fs.FileMode, up *original) *original {
	if w.DryRun || !w.Backup.On || w.Backup.inPlace() {
		return nil
	}
	attr.Mode = found
	return &original{attr: attr, up: up}
}

// rememberRights reads what operations on d, which the run is about to carry out, may change of its
// original, if directories for backups that stand for d may still be made.
func (w *worker) rememberRights(d *directory, ops []metadata.Op) {
	if d.original == nil || d.fresh() || !d.children && !w.putsOff(d) {
		return
	}
	if slices.ContainsFunc(ops, changesRights) {
		_ = w.readOriginal(d.original, d.dst) // if that fails, they are known to have changed
	}
}

// changesRights reports whether an operation changes what a directory for backups takes over.
func changesRights(op metadata.Op) bool {
	switch op.Class {
	case metadata.Times, metadata.Btime, metadata.Rename, metadata.Flags:
		return false
	}
	return !op.Never
}

// readOriginal completes what is known of an original, which dst is, unless that is done already.
func (w *worker) readOriginal(o *original, dst vfs.Dir) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.read {
		return nil
	}
	attr, err := dst.Lstat(".")
	if err != nil {
		return err
	}
	o.now = metadata.State{Attr: attr}
	n, knowsACL := w.readBackupState(dst, &o.now)
	if n != nil {
		n.Close()
	}
	o.extended, o.knowsACL, o.read = n != nil, knowsACL, true
	return nil
}

// backupDir opens the directory for backups of what is in d, and makes what is missing
// of it. A directory that is made is open to nobody else at first, and has the owner, mode and ACL of
// its original before anything is in it. It gets its times at the end of the run.
func (w *worker) backupDir(d *directory) (vfs.Dir, error) {
	path := d.path("")
	n := 0
	if path != "" {
		n = strings.Count(path, "/") + 1
	}
	originals := d.original.path(n + 1)
	root, err := w.backupRoot(originals[0])
	if err != nil || path == "" {
		return root, err
	}
	at, i := "", 0
	return vfs.Descend(root, path, func(in vfs.Dir, name string) (vfs.Dir, error) {
		at, i = join(at, name), i+1
		sub, err := in.OpenDir(name)
		if err == nil && !w.isUnfinishedBackupDir(sub) {
			w.awaitBackupDir(at)
			return sub, nil
		}
		if err == nil {
			sub.Close()
		}
		return w.completeBackupDir(d, in, at, name, originals[i])
	})
}

// completeBackupDir opens the directory for backups called name in another one. It makes it if it is missing, and
// gives it what its original had unless that is done. The path of the original is at; d is it, or below it.
func (w *worker) completeBackupDir(d *directory, in vfs.Dir, at, name string, o *original) (vfs.Dir, error) {
	defer w.lockBackupDir(at)()
	made, err := w.makeBackupDir(in, name)
	if err != nil {
		return nil, err
	}
	sub, err := in.OpenDir(name)
	if err != nil || !made && !w.isUnfinishedBackupDir(sub) {
		return sub, err
	}
	dst := d.dst
	if at != d.path("") {
		if dst, err = openBelow(w.Dest, at, w.Links.KeepDirlinks); err != nil {
			return sub, nil // it keeps the mode that it was made with
		}
		defer dst.Close()
	}
	if err = w.dressBackupDir(sub, at, dst, o); err != nil {
		return nil, both(err, sub.Close())
	}
	return sub, nil
}

// lockBackupDir waits until no other worker makes the directory for backups at a path, and
// keeps them from doing so, or from using it, until unlock is called.
func (r *run) lockBackupDir(path string) (unlock func()) {
	for {
		r.mu.Lock()
		other := r.backupDirLocks[path]
		if other == nil {
			break
		}
		r.mu.Unlock()
		<-other
	}
	defer r.mu.Unlock()
	if r.backupDirLocks == nil {
		r.backupDirLocks = make(map[string]chan struct{})
	}
	done := make(chan struct{})
	r.backupDirLocks[path] = done
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.backupDirLocks, path)
		close(done)
	}
}

// awaitBackupDir waits until no worker makes the directory for backups at a path any more.
func (r *run) awaitBackupDir(path string) {
	r.mu.Lock()
	other := r.backupDirLocks[path]
	r.mu.Unlock()
	if other != nil {
		<-other
	}
}

// backupRoot returns the directory for backups, which it makes if it is missing. The
// original is that of the destination.
func (w *worker) backupRoot(o *original) (vfs.Dir, error) {
	if w.Backup.Dir != nil {
		return w.Backup.Dir, nil
	}
	w.backupDirMu.Lock()
	defer w.backupDirMu.Unlock()
	if w.madeBackupRoot != nil {
		return w.madeBackupRoot, nil
	}
	dir, err := w.makeBackupRoot()
	if err != nil {
		return nil, err
	}
	if w.isUnfinishedBackupDir(dir) { // not if somebody else has made it meanwhile
		if err := w.dressBackupDir(dir, "", w.Dest, o); err != nil {
			return nil, both(err, dir.Close())
		}
	}
	w.madeBackupRoot = dir
	return dir, nil
}

// makeBackupRoot makes the directory for backups, and sees to it that this run, which may
// meet it in the destination, does not remove it.
func (w *worker) makeBackupRoot() (vfs.Dir, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	dir, err := w.Backup.Make()
	if err != nil {
		return nil, err
	}
	attr, err := dir.Lstat(".")
	if err != nil {
		return nil, both(err, dir.Close())
	}
	w.spareLocked(attr.ID())
	return dir, nil
}

// mayGetBackupRoot reports whether the directory for backups may yet be made in d, which
// changes its time.
func (w *worker) mayGetBackupRoot(d *directory) bool {
	return w.Backup.Make != nil && d.destAttr.ID() == w.Backup.Parent
}

// makeBackupDir makes a directory for backups if it is missing.
func (w *worker) makeBackupDir(in vfs.Dir, name string) (made bool, err error) {
	there, err := in.Lstat(name)
	if err == nil && !there.Mode.IsDir() {
		if err = w.vacate(in, name); err == nil {
			err = fs.ErrNotExist
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	err = in.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return false, nil // another worker was faster
	}
	return err == nil, err
}

// isUnfinishedBackupDir reports whether a directory may be one that a run has made, but
// not given its attributes: it is empty and nobody else may enter it.
func (w *worker) isUnfinishedBackupDir(dir vfs.Dir) bool {
	attr, err := dir.Lstat(".")
	if err != nil || attr.Mode.Perm() != 0o700 || int(attr.UID) != w.User.UID {
		return false
	}
	return dir.ReadDir(func([]vfs.Entry) error { return errNotEmpty }) == nil
}

// dressBackupDir gives a new directory for backups, whose path is at, what its original had. Times, and a mode by which
// the owner could not work in it, have to wait. dst is the original as it is now.
func (w *worker) dressBackupDir(dir vfs.Dir, at string, dst vfs.Dir, o *original) error {
	if o == nil {
		attr, err := dst.Lstat(".")
		if err != nil {
			return err
		}
		o = &original{attr: attr}
	}
	if err := w.readOriginal(o, dst); err != nil {
		return err
	}
	now := &o.now
	keep := metadata.Keep{Perms: true, Owner: true, Group: true, Mtime: true, Atime: true}
	sameOwner := w.User.Privileged() || int(o.attr.UID) == w.User.UID
	sameGroup := w.User.Privileged() || w.User.In(o.attr.GID)
	// The ACL that it has now need not be the one that it had.
	sameRights := (now.Mode^o.attr.Mode)&^0o700 == 0 && now.UID == o.attr.UID && now.GID == o.attr.GID

	want := o.now
	want.Attr = o.attr
	keep.ACLs = o.extended && o.knowsACL && sameRights && sameGroup
	keep.Xattrs = o.extended && sameRights
	want.Mode = backupDirMode(o.attr.Mode, sameOwner, sameGroup && sameRights && o.knowsACL)

	made, err := dir.Lstat(".")
	if err != nil {
		return err
	}
	state := metadata.State{Attr: made}
	var on metadata.Settable = metadata.Entry{Dir: dir, Name: "."}
	if n, _ := w.readBackupState(dir, &state); n != nil {
		defer n.Close()
		on = n
	}
	final := backupDirFinal{path: at, mode: made.Mode, atime: o.attr.Atime, mtime: o.attr.Mtime}
	ops := w.profile.Plan(nil, keep, metadata.PlanContext{User: w.User}, &want, &state)
	for i := range ops {
		op := &ops[i]
		if op.Never || op.Class == metadata.Times {
			continue
		}
		if op.Class == metadata.Mode {
			final.mode = op.Mode
			op.Mode |= 0o700
		}
		// There is no entry to take a long attribute from: only files have resource forks.
		if err := op.Do(on, nil); err != nil && op.Class == metadata.Owner {
			narrow(ops[i+1:])
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.backupDirs = append(w.backupDirs, final)
	return nil
}

// readBackupState completes what is known of an open directory by its ACLs and extended
// attributes. It returns the node that the caller closes, or nil, and whether the ACLs are known.
func (w *worker) readBackupState(dir vfs.Dir, s *metadata.State) (n vfs.Node, knowsACL bool) {
	nd, ok := dir.(vfs.NodeDir)
	if !ok {
		return nil, true
	}
	n, err := nd.Node(".")
	if err != nil {
		return nil, errors.Is(err, errors.ErrUnsupported)
	}
	knowsACL = true
	err = w.profile.Read(n, metadata.Keep{ACLs: true, Xattrs: true}, s, func(report.Attr, error) { knowsACL = false })
	return n, knowsACL && (err == nil || errors.Is(err, errors.ErrUnsupported))
}

// backupDirMode returns the mode of a directory for backups, given that of its original and
// whether their owners are the same, and what the group bits mean. It must not open to anybody what the
// original did not.
func backupDirMode(mode fs.FileMode, sameOwner, sameGroup bool) fs.FileMode {
	if !sameOwner {
		mode |= 0o700 // it is ours
		mode &^= fs.ModeSetuid
	}
	if !sameGroup {
		others := mode & 0o007
		mode = mode&^(0o070|fs.ModeSetgid) | mode&(others<<3)
	}
	return mode
}

// narrow takes rights out of operations on a directory for backups whose owner could not be set.
func narrow(ops []metadata.Op) {
	for i := range ops {
		switch ops[i].Class {
		case metadata.Mode:
			ops[i].Mode = backupDirMode(ops[i].Mode, false, false)
		case metadata.ACLs:
			ops[i].Never = true
		}
	}
}

// A backupDirFinal is what a directory for backups gets when nothing more goes into it.
type backupDirFinal struct {
	path         string
	mode         fs.FileMode
	atime, mtime time.Time
}

// finishBackupDirs does so with the deepest first.
func (w *worker) finishBackupDirs() {
	depth := func(f backupDirFinal) int {
		if f.path == "" {
			return -1
		}
		return strings.Count(f.path, "/")
	}
	slices.SortFunc(w.backupDirs, func(a, b backupDirFinal) int { return depth(b) - depth(a) })
	for _, f := range w.backupDirs {
		if err := w.finishBackupDir(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.failDir(new(directory), onDest, f.path, fmt.Errorf("backup: %w", err))
		}
	}
	w.backupDirs = nil
}

func (w *worker) finishBackupDir(f backupDirFinal) error {
	root := w.Backup.Dir
	if root == nil {
		root = w.madeBackupRoot
	}
	dir, err := openBelow(root, f.path, false)
	if err != nil {
		return err
	}
	if f.path != "" {
		defer dir.Close()
	}
	err = dir.Chtimes(".", f.atime, f.mtime)
	if f.mode&0o700 != 0o700 {
		err = both(err, dir.Chmod(".", f.mode))
	}
	return err
}
