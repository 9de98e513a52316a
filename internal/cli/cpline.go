package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"psync/internal/content"
	"psync/internal/getopt"
	"psync/internal/gnucp"
	"psync/internal/quote"
)

// A cpLine is a command line of cp.
type cpLine struct {
	gnucp.Options
	operands []string
	warnings []string

	help, version, progress bool

	getenv func(string) string
	utf8   bool

	followed  bool   // links: that was said
	backs     bool   // backups are asked for
	control   string // how they are named
	suffix    string
	noClobber bool // --no-clobber, unless --interactive comes later
	context   bool // --context or -Z
	selinux   bool // the system has it
}

// parse reads a command line. Once help or version is set, nothing else counts.
func (l *cpLine) parse(args []string) error {
	_, posixly := os.LookupEnv("POSIXLY_CORRECT")
	l.ThroughDangling = posixly
	l.selinux = hasSELinux()
	settings, operands, err := getopt.Parse(args, cpOptions, posixly)
	l.operands = operands
	for _, s := range settings {
		if err := l.set(s); err != nil {
			return err
		}
		if l.help || l.version {
			return nil
		}
	}
	if err != nil {
		return err
	}
	return l.settle()
}

// flag returns what an option sets that does nothing else, or nil.
func (l *cpLine) flag(id int) *bool {
	switch id {
	case optAttributesOnly:
		return &l.AttributesOnly
	case optCopyContents:
		return &l.CopyContents
	case optKeepDirlinks:
		return &l.KeepDirlinks
	case optParents:
		return &l.Parents
	case optRemoveDestination:
		return &l.RemoveDestination
	case optStripSlashes:
		return &l.StripSlashes
	case 'f':
		return &l.Force
	case 'l':
		return &l.HardLink
	case 'R':
		return &l.Recursive
	case 's':
		return &l.SymbolicLink
	case 'T':
		return &l.NoTargetDirectory
	case 'v':
		return &l.Verbose
	case 'x':
		return &l.OneFileSystem
	case optHelp:
		return &l.help
	case optVersion:
		return &l.version
	case optProgress:
		return &l.progress
	}
	return nil
}

// set heeds one option.
func (l *cpLine) set(s getopt.Setting) (err error) {
	if on := l.flag(s.ID); on != nil {
		*on = true
		return nil
	}
	p := &l.Preserve
	switch s.ID {
	case 'a':
		l.Follow, l.followed, l.Recursive = gnucp.FollowNone, true, true
		p.Links, p.Ownership, p.Mode, p.Timestamps, p.Xattr, p.Required, p.Quiet = true, true, true, true, true, true, true
		p.Context = p.Context || l.selinux
	case optBackup:
		l.backs = true
		if s.HasValue {
			l.control = s.Value
		}
	case optDebug:
		l.Debug, l.Verbose = true, true
	case 'd', 'P':
		p.Links = p.Links || s.ID == 'd'
		l.Follow, l.followed = gnucp.FollowNone, true
	case 'H':
		l.Follow, l.followed = gnucp.FollowOperands, true
	case 'L':
		l.Follow, l.followed = gnucp.FollowAll, true
	case 'i', 'n':
		l.Interactive, l.noClobber = s.ID == 'i', s.ID == 'n'
	case optNoPreserve:
		return l.preserve("--no-preserve", s.Value, false)
	case 'p', optPreserve:
		p.Required = true
		if s.HasValue {
			return l.preserve("--preserve", s.Value, true)
		}
		p.Ownership, p.Mode, p.Timestamps = true, true, true
	case optReflink:
		l.Reflink = content.ReflinkAlways
		if s.HasValue {
			l.Reflink, err = match(l, s.Value, "--reflink", reflinkWords)
		}
	case optSparse:
		l.Sparse, err = match(l, s.Value, "--sparse", sparseWords)
	case 'S':
		l.backs, l.suffix = true, s.Value
	case 't':
		if l.HasTarget {
			return &gnucp.OperandError{Message: "multiple target directories specified"}
		}
		l.TargetDirectory, l.HasTarget = s.Value, true
	case 'u':
		l.Update = gnucp.UpdateOlder
		if s.HasValue {
			l.Update, err = match(l, s.Value, "--update", updateWords)
		}
	case 'Z':
		l.setContext(s)
	case 'j':
		if l.Threads, err = strconv.Atoi(s.Value); err != nil || l.Threads < 1 || l.Threads > maxThreads {
			return &gnucp.OperandError{Message: fmt.Sprintf("invalid number of threads: %s", quote.Word(s.Value, l.utf8))}
		}
	}
	return err
}

// preserve heeds a list of attributes to keep, or not to.
func (l *cpLine) preserve(option, list string, on bool) error {
	p := &l.Preserve
	for word := range strings.SplitSeq(list, ",") {
		what, err := match(l, word, option, preserveWords)
		if err != nil {
			return err
		}
		switch what {
		case 'm':
			p.Mode, p.NoMode = on, !on
		case 't':
			p.Timestamps = on
		case 'o':
			p.Ownership = on
		case 'l':
			p.Links = on
		case 'c':
			p.Context, p.RequireContext = on, on
		case 'x':
			p.Xattr, p.RequireXattr = on, on
		case 'a':
			p.Mode, p.NoMode, p.Timestamps, p.Ownership, p.Links, p.Xattr = on, !on, on, on, on, on
			if l.selinux {
				p.Context = on
			}
		}
	}
	return nil
}

// setContext heeds -Z and --context.
func (l *cpLine) setContext(s getopt.Setting) {
	switch {
	case !l.selinux && s.HasValue:
		l.warnings = append(l.warnings, "warning: ignoring --context; it requires an SELinux-enabled kernel")
	case s.HasValue:
		l.context, l.Context = true, s.Value
	case l.selinux:
		l.warnings = append(l.warnings, "warning: ignoring --context: the policy's default contexts are not known to psync")
	}
}

// settle draws conclusions from all options together.
func (l *cpLine) settle() error {
	if l.Reflink == content.ReflinkAuto && l.Sparse == gnucp.SparseNever {
		l.Reflink = content.ReflinkNever
	}
	if l.HardLink && l.SymbolicLink {
		return &gnucp.UsageError{Message: "cannot make both hard and symbolic links"}
	}
	if l.backs && l.noClobber {
		return &gnucp.UsageError{Message: "options --backup and --no-clobber are mutually exclusive"}
	}
	if l.noClobber {
		l.Update = gnucp.UpdateNone
	}
	if l.backs && (l.Update == gnucp.UpdateNone || l.Update == gnucp.UpdateNoneFail) {
		return &gnucp.UsageError{Message: "--backup is mutually exclusive with -n or --update=none-fail"}
	}
	if l.Reflink == content.ReflinkAlways && l.Sparse != gnucp.SparseAuto {
		return &gnucp.UsageError{Message: "--reflink can be used only with --sparse=auto"}
	}
	if err := l.settleBackups(); err != nil {
		return err
	}
	if !l.followed && (!l.Recursive || l.HardLink) {
		l.Follow = gnucp.FollowAll
	}
	if l.Preserve.RequireContext && !l.selinux {
		return &gnucp.OperandError{Message: "cannot preserve security context without an SELinux-enabled kernel"}
	}
	if l.context {
		if l.Preserve.RequireContext {
			return &gnucp.OperandError{Message: "cannot set target context and preserve it"}
		}
		l.Preserve.Context = false
	}
	return nil
}

// settleBackups finds out how backups are named.
func (l *cpLine) settleBackups() (err error) {
	l.Suffix = l.suffix
	if l.Suffix == "" {
		l.Suffix = l.getenv("SIMPLE_BACKUP_SUFFIX")
	}
	if l.Suffix == "" || strings.Contains(l.Suffix, "/") {
		l.Suffix = "~"
	}
	if !l.backs {
		return nil
	}
	control, context := l.control, "backup type"
	if control == "" {
		control, context = l.getenv("VERSION_CONTROL"), "$VERSION_CONTROL"
	}
	l.Backup = gnucp.ExistingBackups
	if control != "" {
		l.Backup, err = match(l, control, context, backupWords)
	}
	return err
}

func match[T comparable](l *cpLine, value, option string, among choice[T]) (T, error) {
	return getopt.Match(value, option, among, func(s string) string { return quote.Word(s, l.utf8) })
}

// hasSELinux reports whether the system decides about access by security contexts.
func hasSELinux() bool {
	_, err := os.Stat("/sys/fs/selinux/enforce")
	return err == nil
}
