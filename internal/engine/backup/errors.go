package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// wrap returns an error that says that err is about a backup, or err itself if it is that of ctx. That the
// volume of backups is full or read-only says nothing about the destination, so the result does not wrap err.
func wrap(ctx context.Context, err error) error {
	var pe *fs.PathError
	switch {
	case err == nil || err == context.Cause(ctx):
		return err
	case errors.As(err, &pe):
		return fmt.Errorf("backup: %s: %v", pe.Op, pe.Err)
	}
	return fmt.Errorf("backup: %v", err)
}
