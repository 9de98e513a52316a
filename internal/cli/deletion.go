package cli

import (
	"errors"

	"github.com/spf13/pflag"

	"psync/internal/engine"
)

// deleteFlags say what is removed from the destination.
type deleteFlags struct {
	delete, deleteExcluded bool
	max                    limit
	ignoreErrors           bool
	emptySource            bool
}

func (f *deleteFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.delete, "delete", false, "remove from DST what SRC lacks")
	fs.BoolVar(&f.deleteExcluded, "delete-excluded", false, "remove from DST what the rules exclude, too")
	fs.Var(&f.max, "max-delete", "remove nothing if that would be more than `N` entries, or N% of those of DST")
	fs.BoolVar(&f.ignoreErrors, "ignore-errors", false, "remove even where SRC could not be read to the end")
	fs.BoolVar(&f.emptySource, "force-empty-source", false, "remove everything if SRC is empty")
}

func (f *deleteFlags) check() error {
	if f.deleteExcluded {
		f.delete = true
	}
	switch {
	case f.delete:
	case f.max.Limit != nil:
		return errors.New("--max-delete limits --delete, which is missing")
	case f.ignoreErrors:
		return errors.New("--ignore-errors is about --delete, which is missing")
	case f.emptySource:
		return errors.New("--force-empty-source is about --delete, which is missing")
	}
	return nil
}

func (f *deleteFlags) options() engine.Delete {
	return engine.Delete{On: f.delete, IgnoreErrors: f.ignoreErrors, EmptySource: f.emptySource, Max: f.max.Limit}
}
