package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// wrap says that an error, unless it is that of ctx, is about a backup. That the volume of
// backups is full or read-only says nothing about the destination, so the result does not wrap err.
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
