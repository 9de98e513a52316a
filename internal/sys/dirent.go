package sys

// A Dirent is one entry of a listing. Name points into the listing's buffer, and is valid
// until the next entry is read.
type Dirent struct {
	Name []byte
	Type byte // a DT_ constant of dirent.h
	Ino  uint64
}
