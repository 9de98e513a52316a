package journal

import (
	"io"
	"math"
	"os"
	"time"
)

// A File is a journal that is read. Others may be writing it.
type File struct {
	Job         Job
	Key         Key
	Sessions    []Session
	End         *End  // of the last session; nil: it goes on, or was cut short
	Running     bool  // a process is at work for the journal
	Directories int64 // records of directories
	// Untrusted is how many bytes at the end do not count: they are damaged or incomplete, or the system has crashed since,
	// so that it is unknown whether what they say has reached the disk.
	Untrusted int64

	name  string
	f     *os.File
	sound position // up to which it counts
}

// Read opens a journal to be read. boot identifies the present boot of the system, or is "" if that is not known.
func Read(name, boot string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	j := &File{name: name, f: f, Running: isLocked(f)}
	if err := j.read(boot); err != nil {
		_ = f.Close()
		return nil, err
	}
	return j, nil
}

// Close closes the journal, which was only read.
func (f *File) Close() { _ = f.f.Close() }

// read reads the journal once, and finds out how far it counts.
func (f *File) read(boot string) error {
	var synced int64
	v := visitor{
		key: func(k Key) { f.Key = k },
		job: func(j Job) { f.Job = j },
		session: func(s Session) {
			f.Sessions = append(f.Sessions, s)
			f.End = nil
		},
		end:    func(e End) { f.End = &e },
		synced: func(offset int64) { synced = offset },
	}
	var err error
	if f.sound, err = walk(f.name, f.f, math.MaxInt64, v); err != nil {
		return err
	}
	if len(f.Sessions) == 0 {
		return errUnbegun
	}
	info, err := f.f.Stat()
	if err != nil {
		return err
	}
	limit := f.sound.offset
	if was := f.Sessions[len(f.Sessions)-1].Boot; was != "" && was != boot {
		limit = synced
	}
	f.Untrusted = max(info.Size()-limit, 0)
	f.sound, err = f.visitUpTo(limit, visitor{directory: func(*Directory) { f.Directories++ }})
	return err
}

// visit tells v what the journal says, as far as that counts.
func (f *File) visit(v visitor) error {
	_, err := f.visitUpTo(f.sound.offset, v)
	return err
}

func (f *File) visitUpTo(limit int64, v visitor) (position, error) {
	if _, err := f.f.Seek(0, io.SeekStart); err != nil {
		return position{}, err
	}
	return walk(f.name, f.f, limit, v)
}

// Started returns when the first session began.
func (f *File) Started() time.Time { return f.Sessions[0].Started }

// latest returns the ordinal numbers of the last records of the directories that were recorded again.
func (f *File) latest() (map[ID]int64, error) {
	last := make(map[ID]int64)
	n := int64(0)
	err := f.visit(visitor{directory: func(d *Directory) {
		n++
		if d.Repeated {
			last[d.ID] = n
		}
	}})
	return last, err
}

// visitLatest calls directory for the last record of each directory, and settled for each settlement.
func (f *File) visitLatest(last map[ID]int64, directory func(*Directory), settled func(Settlement)) error {
	n := int64(0)
	return f.visit(visitor{
		directory: func(d *Directory) {
			if n++; n >= last[d.ID] {
				directory(d)
			}
		},
		settled: settled,
	})
}
