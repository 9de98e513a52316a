package engine

import "fmt"

// An aliasError says that the destination has one entry for two names of the source.
type aliasError struct{ first string }

func (e *aliasError) Error() string {
	return fmt.Sprintf("is the same name as %q to the destination, so it was left out; rename one of them", e.first)
}

func (e *aliasError) Is(err error) bool { return err == errCollision }
