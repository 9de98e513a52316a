package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"psync/internal/cli/flags"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/record"
	"psync/internal/ui"
	"psync/internal/version"
	"psync/internal/vfs"
)

// defaultLogFormat is that of rsync where -i is given, which tells most.
const defaultLogFormat = "%i %n%L"

// openLog opens the logs that flags name, and begins them. Files are made with the permissions perm.
func (a *app) openLog(o *flags.Options, perm fs.FileMode, start record.Start) error {
	out := o.Output
	if out.JSON == "" && out.Log == "" {
		return nil
	}
	config := record.Config{Receives: o.UI.Receives, Format: out.LogFormat, Hint: hintFor}
	var err error
	if config.JSON, err = a.openLogFile(o, "--json", out.JSON, perm); err != nil {
		return err
	}
	if config.Text, err = a.openLogFile(o, "--log-file", out.Log, perm); err != nil {
		if config.JSON != nil {
			err = errors.Join(err, config.JSON.Close())
		}
		return err
	}
	if config.Format == nil {
		if config.Format, err = ui.ParseOutFormat(defaultLogFormat); err != nil {
			return err
		}
	}
	start.Version, start.Verb, start.Args, start.DryRun = version.String(), o.Verb(), a.line, o.UI.DryRun || o.UI.Compare
	a.log = record.NewRecorder(config)
	a.log.Start(start)
	return nil
}

// openLogFile opens a file to append to, or returns nil for "".
func (a *app) openLogFile(o *flags.Options, flag, name string, perm fs.FileMode) (io.WriteCloser, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		return keptOpen{a.Stdout}, nil
	}
	f, err := openerOf(o)(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, perm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	if isTorn(o, f) {
		if _, err := f.WriteString("\n"); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", flag, err), f.Close())
		}
	}
	return f, nil
}

// isTorn reports whether a log ends within a line, as after a crash or on a full disk, to which nothing may be appended. A
// log that may not be read is taken for whole.
func isTorn(o *flags.Options, f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	in, err := openerOf(o)(f.Name(), os.O_RDONLY, 0)
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

// endLog completes the logs of a run. A run whose log is not complete has not succeeded.
func (a *app) endLog(o record.Outcome) {
	if err := a.log.End(o); err != nil {
		complain(a.Stderr, fmt.Errorf("the log is not complete: %w", err), "")
		a.exit = withoutOutput(a.exit, false)
	}
}

// sourceOperands describes the sources of a copy.
func sourceOperands(args []string, roots *operand.Roots) []record.Operand {
	var list []record.Operand
	for i, arg := range args[:len(args)-1] {
		var dir vfs.Dir
		if len(args) == 2 && len(roots.Sources) > 0 {
			dir = roots.Sources[i].Dir
		}
		list = append(list, describeOperand(arg, dir))
	}
	return list
}

// destOperand describes the destination of a copy.
func destOperand(args []string, roots *operand.Roots) *record.Operand {
	o := describeOperand(args[len(args)-1], roots.Dest)
	return &o
}

// removedOperands describes what is to be removed.
func removedOperands(args []string) []record.Operand {
	var list []record.Operand
	for _, arg := range args {
		list = append(list, describeOperand(arg, nil))
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
