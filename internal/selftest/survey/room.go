package survey

import (
	"errors"

	"psync/internal/vfs"
)

// A Room is the available space of the destination.
type Room struct {
	vfs.Space
	Known bool
}

// roomOf returns the available space of the volume of dir.
func roomOf(dir vfs.Dir) (Room, error) {
	v, err := dir.Statfs()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return Room{}, nil
	case err != nil || v.Space == nil:
		return Room{}, err
	}
	return Room{*v.Space, true}, nil
}

// LacksBytes returns how many more bytes a copy takes than are available.
func (r *Result) LacksBytes() int64 {
	if !r.Room.Known {
		return 0
	}
	return max(r.NeedBytes-r.Room.Free, 0)
}

// LacksInodes returns how many more inodes a copy takes than are available.
func (r *Result) LacksInodes() int64 {
	if !r.Room.Known || !r.Room.LimitsInodes {
		return 0
	}
	return max(r.NeedInodes-r.Room.Inodes, 0)
}

// usualBlock is the block size if a volume does not report it.
const usualBlock = 4096
