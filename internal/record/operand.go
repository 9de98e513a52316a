package record

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"psync/internal/vfs"
)

// An Operand is a SRC, a DST or a PATH, and the volume that it is on.
type Operand struct {
	Path    string // as typed
	Host    string // "" for this one
	Network bool   // the volume is a network file system
	// Lacks are features that the volume, or the way to it, is known not to have.
	Lacks []string
}

// OperandOf returns the operand whose directory, if it is open, is dir.
func OperandOf(path, host string, dir vfs.Dir) Operand {
	o := Operand{Path: path, Host: host}
	if dir == nil {
		return o
	}
	has := dir.Caps()
	v, err := dir.Statfs()
	if err != nil {
		v = vfs.Volume{}
	}
	o.Network = v.Network
	for _, f := range []struct {
		lacks bool
		what  string
	}{
		{!has.Has(vfs.CanLink), "hard links"},
		{!has.Has(vfs.CanMknod), "special files"},
		{!has.Has(vfs.CanNode), "extended attributes"},
		{v.LacksACLs, "acls"},
		{v.OwnersIgnored, "owners"},
		{v.Folds, "case-sensitive names"},
		{v.Granularity >= time.Millisecond, "times finer than " + v.Granularity.String()},
	} {
		if f.lacks {
			o.Lacks = append(o.Lacks, f.what)
		}
	}
	return o
}

func operands(list []Operand) []object {
	all := make([]object, len(list))
	for i := range list {
		all[i] = operand(&list[i])
	}
	return all
}

func operand(o *Operand) object {
	if o == nil {
		return nil
	}
	all := object{{"path", text(o.Path)}}
	if !utf8.ValidString(o.Path) {
		all = append(all, member{"path_base64", base64.StdEncoding.EncodeToString([]byte(o.Path))})
	}
	lacks := o.Lacks
	if lacks == nil {
		lacks = []string{}
	}
	return append(all, member{"host", o.Host}, member{"network", o.Network}, member{"lacks", lacks})
}
