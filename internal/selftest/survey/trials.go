package survey

import (
	"errors"

	"psync/internal/metadata"
	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

// trials performs trials in the destination, and remembers the results.
type trials struct {
	dir     vfs.Dir
	profile *metadata.Profile
	user    vfs.User
	keep    metadata.Keep

	names      *names
	times      *times
	attributes memo[attrKey, attrResult]
	attributed int // trials so far
	entries    memo[entryKey, error]
	links      memo[entryKey, error]
	targets    memo[string, bool] // of symbolic links, that not every volume takes
	lengths    limit              // of targets
	sizes      limit              // sizes of files
	keepsHoles bool
	blockSize  int64
}

// newTrials returns trials in the directory of t.
func newTrials(t *check.T) (tr *trials, err error) {
	tr = &trials{dir: t.Dir, profile: t.Profile, user: t.User, keep: archive(t.Profile), blockSize: usualBlock}
	tr.lengths.try, tr.sizes.try = tr.keepsLength, tr.keepsSize
	if tr.names, err = newNames(t.Dir); err != nil {
		return nil, err
	}
	if tr.times, err = newTimes(t.Dir); err != nil {
		return nil, errors.Join(err, tr.names.dir.Close())
	}
	tr.keepsHoles, err = tr.tryHole()
	return tr, err
}

func (tr *trials) close() { tr.names.dir.Close() }

// archive returns what psync copy -aHAX keeps on a system, except for times, which are tried separately.
func archive(p *metadata.Profile) metadata.Keep {
	return metadata.Keep{
		Modes: true, Perms: true, Owner: true, Group: true, ACLs: true, Xattrs: true, Flags: p.Archive.Flags,
	}
}
