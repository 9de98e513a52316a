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
	for _, f := range features {
		if !dir.Caps().Has(f.cap) {
			o.Lacks = append(o.Lacks, f.name)
		}
	}
	if v, err := dir.Statfs(); err == nil {
		o.Network = v.Network
		if v.LacksACLs {
			o.Lacks = append(o.Lacks, "acls")
		}
		if v.OwnersIgnored {
			o.Lacks = append(o.Lacks, "owners")
		}
		if v.Folds {
			o.Lacks = append(o.Lacks, "case-sensitive names")
		}
		if v.Granularity >= time.Millisecond {
			o.Lacks = append(o.Lacks, "times finer than "+v.Granularity.String())
		}
	}
	return o
}

// features are what a volume or a host may lack.
var features = []struct {
	cap  vfs.Caps
	name string
}{
	{vfs.CanLink, "hard links"},
	{vfs.CanMknod, "special files"},
	{vfs.CanNode, "extended attributes"},
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
