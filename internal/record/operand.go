package record

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"psync/internal/vfs"
)

// An Operand is a SRC, a DST or a PATH, and the volume that it is on.
type Operand struct {
	Path       string `json:"path"`                  // as typed
	PathBase64 string `json:"path_base64,omitempty"` // if Path is not UTF-8
	Host       string `json:"host"`                  // "" for this one
	Network    bool   `json:"network"`               // the volume is a network file system
	// Lacks are features that the volume, or the way to it, is known not to have.
	Lacks []string `json:"lacks"`
}

// OperandOf returns the operand whose directory, if it is open, is dir.
func OperandOf(path, host string, dir vfs.Dir) Operand {
	o := Operand{Path: path, Host: host, Lacks: []string{}}
	if !utf8.ValidString(path) {
		o.PathBase64 = base64.StdEncoding.EncodeToString([]byte(path))
	}
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
