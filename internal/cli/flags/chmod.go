package flags

import (
	"io/fs"

	"psync/internal/metadata"
)

// chmodSpecs are changes of modes as typed. They are compiled when the umask is known.
type chmodSpecs []string

func (c *chmodSpecs) Type() string   { return "SPEC" }
func (c *chmodSpecs) String() string { return "" }

func (c *chmodSpecs) Set(text string) error {
	_, err := metadata.ParseChmod(text, 0)
	if err == nil {
		*c = append(*c, text)
	}
	return err
}

// under returns the changes for a user with that umask.
func (c chmodSpecs) under(umask fs.FileMode) (all metadata.Chmod) {
	for _, spec := range c {
		changes, _ := metadata.ParseChmod(spec, umask) // Set has checked spec
		all = append(all, changes...)
	}
	return all
}
