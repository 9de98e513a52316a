package order

// A Line is a line about an entry.
type Line struct {
	Dir     string // of the entry, relative to the destination; "": the destination
	Name    string // "": Dir itself
	IsDir   bool
	Removal bool // of an entry of the destination
	Backup  bool // of what had the entry's name in the destination, whether it is replaced or removed
	Rule    bool // about a rule that decides whether an entry may be removed; it says nothing of what becomes of that
	Class   Class
	Text    []byte
}

// A Class says which process of rsync a line comes from. The generator finds out what is to do, and has the sender say what is
// copied; what it says itself is not held up by that. The sender reads the tree ahead of both. So in a batch of lines those of
// the sender come first, and those about what is copied last.
type Class uint8

// The classes.
const (
	Sender    Class = iota // rules that match
	Generator              // what is removed, left out or up to date
	Item                   // what is copied, or listed as if it were
	classes
)

// size returns how many bytes a line takes.
func (l *Line) size() int { return len(l.Text) + len(l.Dir) + len(l.Name) + 128 }

// A text is lines, by their classes.
type text [classes][]byte

func (t *text) add(l *Line) { t[l.Class] = append(t[l.Class], l.Text...) }

func textOf(l Line) (t text) {
	t.add(&l)
	return t
}
