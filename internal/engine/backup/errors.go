package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// wrap returns an error that says that err concerns a backup, or err itself if it is the cause of ctx. The result
// does not wrap err, because a full or read-only volume of backups says nothing about the destination.
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
