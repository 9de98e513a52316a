package journal

import (
	"io"
	"math"
	"os"
	"time"
)

// A File is a journal that is open for reading. Other processes may be writing to it.
type File struct {
	Job         Job
	Key         Key
	Sessions    []Session
	End         *End  // of the last session; nil if the session is still running or was killed
	Running     bool  // a process is using the journal
	Directories int64 // number of directory records
	Queued      int64 // up to which offset it has the records of a queue
	// Untrusted is the number of bytes at the end that do not count: they are damaged or incomplete, or the system has
	// crashed since, so that the changes that they describe may not have reached the disk.
	Untrusted int64

	name  string
	f     *os.File
	sound position // the end of the part that counts
}

// Read opens a journal for reading. boot identifies the current boot of the system, or is "" if that is unknown.
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

// Close closes the journal.
func (f *File) Close() { _ = f.f.Close() }

// read reads the journal once and determines which part counts.
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
	if f.sound, err = readFrames(f.name, f.f, math.MaxInt64, v); err != nil {
		return err
	}
	if len(f.Sessions) == 0 {
		return errEmpty
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
	f.sound, err = f.visitUpTo(limit, visitor{
		directory: func(*Directory) { f.Directories++ },
		queued:    func(q queued) { f.Queued = q.offset },
	})
	return err
}

// visit calls v for the records of the part that counts.
func (f *File) visit(v visitor) error {
	_, err := f.visitUpTo(f.sound.offset, v)
	return err
}

func (f *File) visitUpTo(limit int64, v visitor) (position, error) {
	if _, err := f.f.Seek(0, io.SeekStart); err != nil {
		return position{}, err
	}
	return readFrames(f.name, f.f, limit, v)
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

// visitLatest calls directory for the last record of each directory, and completion for each Completion.
func (f *File) visitLatest(last map[ID]int64, directory func(*Directory), completion func(Completion)) error {
	return f.visit(latestOf(last, visitor{directory: directory, completion: completion}))
}

// latestOf returns v without records of directories that were recorded again.
func latestOf(last map[ID]int64, v visitor) visitor {
	n, directory := int64(0), v.directory
	v.directory = func(d *Directory) {
		if n++; n >= last[d.ID] {
			directory(d)
		}
	}
	return v
}
