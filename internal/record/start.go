package record

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"psync/internal/ui"
	"psync/internal/vfs"
)

// A Start describes a run that begins.
type Start struct {
	Version string
	Verb    string // "" for psync without a verb
	Args    []string
	DryRun  bool
	Sources []Operand
	Dest    *Operand // nil if there is none
}

// An Operand is a SRC, a DST or a PATH, and the volume that it is on.
type Operand struct {
	Path    string // as typed
	Host    string // "" for this one
	Network bool   // the volume is a network file system
	// Lacks are features that the volume, or the way to it, is known not to have.
	Lacks []string
}

// Describe returns the operand whose directory, if it is open, is dir.
func Describe(path, host string, dir vfs.Dir) Operand {
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

// Start begins the logs.
func (r *Recorder) Start(s Start) {
	r.start = time.Now()
	if r.json != nil {
		host, _ := os.Hostname() // which only people read
		r.json.write(encode(object{
			{"event", "start"},
			{"schema", Schema},
			{"time", r.start},
			{"psync", s.Version},
			{"pid", os.Getpid()},
			{"host", host},
			{"verb", s.Verb},
			{"args", texts(s.Args)},
			{"dry_run", s.DryRun},
			{"sources", operands(s.Sources)},
			{"dest", operand(s.Dest)},
		}), true)
	}
	if r.text != nil {
		line := appendPrefix(nil, r.start)
		line = append(line, "psync "+s.Version+":"...)
		for _, arg := range s.Args {
			line = append(line, " "+ui.Escape(arg)...)
		}
		r.text.write(append(line, '\n'), true)
	}
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

// text returns s with what is not UTF-8 replaced, byte for byte, as in names of events.
func text(s string) string {
	var decoded string
	if utf8.ValidString(s) {
		return s
	}
	if err := json.Unmarshal(appendString(nil, s), &decoded); err != nil {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return decoded
}

func texts(list []string) []string {
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = text(s)
	}
	return all
}

// An object is a JSON object whose members have an order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	if o == nil {
		return []byte("null"), nil
	}
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.name), ':')
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(b, value...)
	}
	return append(b, '}'), nil
}

// encode returns the line of an object. A value that JSON has no form for makes it a line with the error.
func encode(o object) []byte {
	b, err := o.MarshalJSON()
	if err != nil {
		b, _ = object{o[0], {"error", err.Error()}}.MarshalJSON()
	}
	return append(b, '\n')
}
