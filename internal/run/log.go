package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/record"
	"psync/internal/ui"
	"psync/internal/version"
	"psync/internal/vfs"
)

// defaultLogFormat is that of rsync with -i, which has the most details.
const defaultLogFormat = "%i %n%L"

// openLog opens the logs that options name, and begins them. Files are made with the permissions perm. Without logs, the
// recorder is nil.
func (o *Options) openLog(perm fs.FileMode, receives bool, sources []record.Operand, dest *record.Operand) (*record.Recorder, error) {
	out := o.Output
	if out.JSON == "" && out.Log == "" {
		return nil, nil
	}
	config := record.Config{Receives: receives, Format: out.LogFormat, Hint: o.Messages.Hint}
	var err error
	if config.JSON, err = o.openLogFile("--json", out.JSON, perm); err != nil {
		return nil, err
	}
	if config.Text, err = o.openLogFile("--log-file", out.Log, perm); err != nil {
		if config.JSON != nil {
			err = errors.Join(err, config.JSON.Close())
		}
		return nil, err
	}
	if config.Format == nil {
		if config.Format, err = ui.ParseOutFormat(defaultLogFormat); err != nil {
			return nil, err
		}
	}
	log := record.NewRecorder(config)
	log.Start(record.Start{
		Version: version.String(), Verb: o.Command.Verb, Args: o.Command.Args, DryRun: o.Engine.DryRun, Sources: sources, Dest: dest,
	})
	return log, nil
}

// openLogFile opens a file to append to, or returns nil for "".
func (o *Options) openLogFile(flag, name string, perm fs.FileMode) (io.WriteCloser, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		if o.Output.Stdout == nil {
			return nil, fmt.Errorf("%s: there is no standard output", flag)
		}
		return keptOpen{o.Output.Stdout}, nil
	}
	f, err := o.openFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, perm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	if o.endsWithinLine(f) {
		if _, err := f.WriteString("\n"); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", flag, err), f.Close())
		}
	}
	return f, nil
}

// endsWithinLine reports whether the last line of a log is incomplete, as after a crash or on a full disk, so that nothing
// may be appended to it. A log that may not be read is assumed to be complete.
func (o *Options) endsWithinLine(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	in, err := o.openFile(f.Name(), os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer func() { _ = in.Close() }() // it was only read
	var last [1]byte
	_, err = in.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// keptOpen is a writer that others close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// sourceOperands describes the sources of a run. The roots may be nil.
func (o *Options) sourceOperands(roots *operand.Roots) []record.Operand {
	var list []record.Operand
	for i, arg := range o.Sources {
		var dir vfs.Dir
		if roots != nil && len(o.Sources) == 1 && len(roots.Sources) > 0 {
			dir = roots.Sources[i].Dir
		}
		list = append(list, describeOperand(arg, dir))
	}
	return list
}

func describeOperand(arg string, dir vfs.Dir) record.Operand {
	host := ""
	if l, err := location.Parse(arg); err == nil && !l.Account.IsHere() {
		host = strings.TrimSuffix(arg, l.Path)
	}
	return record.OperandOf(arg, host, dir)
}
