package rsyncflags

import (
	"io"

	"psync/internal/ui/info"
)

// Shown says what is printed.
type Shown struct {
	Format  string      // of the lines that list what is done; "": there are none
	Current bool        // a Format with %i lists what is up to date, too
	Info    info.Levels // of the other lines
	Debug   info.Levels
}

// shown holds the flags that say what is printed.
type shown struct {
	verbose, itemize int // how often they were given
	format           string
	formatted        bool // format was given, if only an empty one
	stats, progress  bool
	info, debug      []string // the values of the flags
}

// setShown sets what is printed.
func (p *parser) setShown(name, value string, on bool) bool {
	count := func(n *int) {
		if *n++; !on {
			*n = 0
		}
	}
	switch name {
	case "help":
		p.Help = Help
	case "version":
		p.Version++
	case "verbose":
		count(&p.shown.verbose)
	case "quiet":
		p.Quiet = on
	case "itemize-changes":
		count(&p.shown.itemize)
	case "out-format", "log-format":
		p.shown.format, p.shown.formatted = value, true
	case "stats":
		p.shown.stats = on
	case "dry-run":
		p.DryRun = on
	case "list-only":
		p.ListOnly = on
	case "progress":
		p.shown.progress = on
	case "info":
		p.shown.info = append(p.shown.info, value)
	case "debug":
		p.shown.debug = append(p.shown.debug, value)
	default:
		return false
	}
	return true
}

// completeShown derives what is printed.
func (p *parser) completeShown() (err error) {
	s := &p.Shown
	if s.Info, err = p.levels(info.Info(), p.shown.info, p.setDefaults); err != nil {
		return err
	}
	if s.Debug, err = p.levels(info.Debug(), p.shown.debug, func(info.Levels) {}); err != nil {
		return err
	}
	if s.Info[info.Progress] > 0 {
		p.passed = append(p.passed, "--progress")
	}
	if p.Quiet {
		*s = Shown{}
		return nil
	}
	switch {
	case p.shown.formatted:
		s.Format = p.shown.format
	case p.shown.itemize > 0:
		s.Format = "%i %n%L"
	case s.Info[info.Name] > 0:
		s.Format = "%n%L"
	}
	s.Current = p.shown.itemize > 1 || s.Info[info.Name] > 1
	return nil
}

// levels returns the levels of --info or --debug. Its values come after -v and what other flags imply.
func (p *parser) levels(flag *info.Flag, values []string, setDefaults func(info.Levels)) (info.Levels, error) {
	levels := flag.Verbose(p.shown.verbose)
	setDefaults(levels)
	for _, value := range values {
		if info.AsksForHelp(value) {
			p.Help = flag.Help()
			return levels, nil
		}
		if err := flag.Set(levels, value); err != nil {
			return nil, UsageError(err.Error())
		}
	}
	return levels, nil
}

// setDefaults sets the levels that flags other than --info stand for.
func (p *parser) setDefaults(levels info.Levels) {
	if p.shown.stats {
		levels[info.Stats] = 2
	}
	if p.shown.progress {
		if levels[info.Name] == 0 && p.shown.itemize == 0 && !p.shown.formatted {
			levels[info.Name] = 1
		}
		levels[info.Flist], levels[info.Progress] = 2, 1
	}
}

// PrintBegin prints the line that comes before the list of entries. In rsync, copying begins before the list of files is complete
// if that streams.
func (l *Line) PrintBegin(w io.Writer, receives bool) {
	switch {
	case l.Shown.Info[info.Flist] == 0:
	case receives && l.Streams:
		_, _ = io.WriteString(w, "receiving incremental file list\n")
	case receives:
		_, _ = io.WriteString(w, "receiving file list ... done\n")
	case l.Streams:
		_, _ = io.WriteString(w, "sending incremental file list\n")
	default:
		_, _ = io.WriteString(w, "building file list ... done\n")
	}
}
