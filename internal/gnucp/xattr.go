package gnucp

import (
	"errors"
	"strings"

	"psync/internal/vfs"
)

// selinux is the extended attribute that holds a security context.
const selinux = "security.selinux"

// copyXattrs gives a copy the extended attributes of its source. It returns false if that
// failed where it must not.
func (w *worker) copyXattrs(it *item, s *sides) bool {
	if !w.Preserve.Xattr && !w.Preserve.Context {
		return true
	}
	names, err := s.xattrs()
	if err != nil {
		w.tellXattr(it, err, "listing attributes of %s", it.src.String())
		return !w.Preserve.RequireXattr
	}
	ok := true
	for _, name := range names {
		switch {
		case name == selinux:
			ok = (!w.Preserve.Context || w.copyContext(it, s)) && ok
		case w.Preserve.Xattr && !isACL(name) && !foreign(name):
			ok = (w.copyXattr(it, s, name) || !w.Preserve.RequireXattr) && ok
		}
	}
	return ok
}

// foreign reports whether an attribute means nothing in another place: those that
// xattr.conf(5), the configuration of libattr, says to skip or to leave to ACLs.
func foreign(name string) bool {
	for _, prefix := range []string{"afs.", "system.nfs4", "trusted.SGI_", "user.Beagle.", "xfsroot."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "security.evm"
}

func (w *worker) copyXattr(it *item, s *sides, name string) bool {
	value, err := s.src.Xattr(name)
	if err != nil {
		w.tellXattr(it, err, "getting attribute %s of %s", name, it.src.String())
		return false
	}
	if err = s.dst.SetXattr(name, value); err == nil {
		return true
	}
	if errors.Is(err, errors.ErrUnsupported) {
		w.tellXattr(it, err, "setting attributes for %s", it.dst.String())
	} else {
		w.tellXattr(it, err, "setting attribute %s for %s", name, it.dst.String())
	}
	return false
}

// tellXattr tells of an extended attribute that was not kept, as far as that is asked for.
func (w *worker) tellXattr(it *item, err error, format string, args ...any) {
	if w.Preserve.RequireXattr || w.AttributesOnly || !w.Preserve.Quiet && !errors.Is(err, errors.ErrUnsupported) {
		it.out.Fail(err, format, args...)
	}
}

// copyContext gives a copy the security context of its source.
func (w *worker) copyContext(it *item, s *sides) bool {
	value, err := s.src.Xattr(selinux)
	if err == nil {
		err = setContext(s.dst, string(value))
	}
	if err != nil && (w.Preserve.RequireContext || w.AttributesOnly || !w.Preserve.Quiet && !errors.Is(err, errors.ErrUnsupported)) {
		it.out.Fail(err, "failed to set the security context of %s", it.dst)
	}
	return err == nil || !w.Preserve.RequireContext
}

func setContext(n vfs.Node, context string) error { return n.SetXattr(selinux, []byte(context)) }

// label gives what is new the security context that was asked for.
func (w *worker) label(it *item) bool {
	if w.Context == "" || !it.isNew || w.HardLink {
		return true
	}
	n, err := it.dst.At.Node(it.dst.Name)
	if err == nil {
		err = errors.Join(setContext(n, w.Context), n.Close())
	}
	if err != nil {
		return it.out.Fail(err, "failed to set the security context of %s", it.dst)
	}
	return true
}
