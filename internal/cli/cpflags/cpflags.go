// Package cpflags parses command lines of GNU cp(1).
package cpflags

import (
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"

	"psync/internal/content"
	"psync/internal/getopt"
	"psync/internal/gnucp"
	"psync/internal/gnucp/policy"
	"psync/internal/quote"
)

//go:embed help.txt
var help string

// Help returns what --help prints, for the name that cp was called by.
func Help(name string) string { return fmt.Sprintf(help, name) }

// A Line is a command line of cp.
type Line struct {
	policy.Options
	Operands []string
	Warnings []string

	Help, Version, Progress bool
}

// An Environment holds what Parse depends on in addition to the arguments.
type Environment struct {
	Getenv     func(string) string
	UTF8       bool // names are quoted in UTF-8
	SELinux    bool // the system controls access by security contexts
	MaxThreads int
}

// Parse parses a command line. If Help or Version is set, the other fields do not matter. The warnings of a
// Line are valid even if there is an error.
func Parse(args []string, env Environment) (Line, error) {
	_, posixly := os.LookupEnv("POSIXLY_CORRECT")
	p := parser{env: env}
	p.ThroughDangling = posixly
	settings, operands, err := getopt.Parse(args, getoptOptions(), posixly)
	p.Operands = operands
	for _, s := range settings {
		if err := options[s.ID].apply(&p, s); err != nil || p.Help || p.Version {
			return p.Line, err
		}
	}
	if err == nil {
		err = p.complete()
	}
	return p.Line, err
}

// A parser collects the options of a command line.
type parser struct {
	Line
	env Environment

	followSet     bool   // an option said which links are followed
	backup        bool   // the options ask for backups
	backupControl string // how they are named
	suffix        string
	noClobber     bool // --no-clobber, unless --interactive comes later
	context       bool // --context or -Z
}

func (o *option) apply(p *parser, s getopt.Setting) error {
	if o.on != nil {
		*o.on(p) = true
		return nil
	}
	return o.set(p, s)
}

func (p *parser) archive(getopt.Setting) error {
	p.Follow, p.followSet, p.Recursive = policy.FollowNone, true, true
	k := &p.Preserve
	k.Links, k.Ownership, k.Mode, k.Timestamps, k.Xattr, k.Required, k.Quiet = true, true, true, true, true, true, true
	k.Context = k.Context || p.env.SELinux
	return nil
}

func (p *parser) setBackup(s getopt.Setting) error {
	p.backup = true
	if s.HasValue {
		p.backupControl = s.Value
	}
	return nil
}

func (p *parser) debug(getopt.Setting) error {
	p.Debug, p.Verbose = true, true
	return nil
}

func (p *parser) linksAsLinks(getopt.Setting) error {
	p.Preserve.Links = true
	return p.follow(policy.FollowNone)
}

func (p *parser) followAll(getopt.Setting) error      { return p.follow(policy.FollowAll) }
func (p *parser) followOperands(getopt.Setting) error { return p.follow(policy.FollowOperands) }
func (p *parser) followNone(getopt.Setting) error     { return p.follow(policy.FollowNone) }

func (p *parser) follow(which policy.Follow) error {
	p.Follow, p.followSet = which, true
	return nil
}

func (p *parser) interactive(getopt.Setting) error {
	p.Interactive, p.noClobber = true, false
	return nil
}

func (p *parser) setNoClobber(getopt.Setting) error {
	p.Interactive, p.noClobber = false, true
	return nil
}

func (p *parser) noPreserve(s getopt.Setting) error {
	return p.preserveList("--no-preserve", s.Value, false)
}

func (p *parser) preserve(s getopt.Setting) error {
	k := &p.Preserve
	k.Required = true
	if s.HasValue {
		return p.preserveList("--preserve", s.Value, true)
	}
	k.Ownership, k.Mode, k.Timestamps = true, true, true
	return nil
}

// preserveList sets or clears the attributes of a list.
func (p *parser) preserveList(option, list string, on bool) error {
	k := &p.Preserve
	for word := range strings.SplitSeq(list, ",") {
		attr, err := match(p, word, option, preserveWords)
		if err != nil {
			return err
		}
		switch attr {
		case 'm':
			k.Mode, k.NoMode = on, !on
		case 't':
			k.Timestamps = on
		case 'o':
			k.Ownership = on
		case 'l':
			k.Links = on
		case 'c':
			k.Context, k.RequireContext = on, on
		case 'x':
			k.Xattr, k.RequireXattr = on, on
		case 'a':
			k.Mode, k.NoMode, k.Timestamps, k.Ownership, k.Links, k.Xattr = on, !on, on, on, on, on
			if p.env.SELinux {
				k.Context = on
			}
		}
	}
	return nil
}

func (p *parser) setReflink(s getopt.Setting) (err error) {
	p.Reflink = content.ReflinkAlways
	if s.HasValue {
		p.Reflink, err = match(p, s.Value, "--reflink", reflinkWords)
	}
	return err
}

func (p *parser) setSparse(s getopt.Setting) (err error) {
	p.Sparse, err = match(p, s.Value, "--sparse", sparseWords)
	return err
}

func (p *parser) setSuffix(s getopt.Setting) error {
	p.backup, p.suffix = true, s.Value
	return nil
}

func (p *parser) setTarget(s getopt.Setting) error {
	if p.HasTarget {
		return &gnucp.OperandError{Message: "multiple target directories specified"}
	}
	p.TargetDirectory, p.HasTarget = s.Value, true
	return nil
}

func (p *parser) setUpdate(s getopt.Setting) (err error) {
	p.Update = policy.UpdateOlder
	if s.HasValue {
		p.Update, err = match(p, s.Value, "--update", updateWords)
	}
	return err
}

func (p *parser) setContext(s getopt.Setting) error {
	switch {
	case !p.env.SELinux && s.HasValue:
		p.Warnings = append(p.Warnings, "warning: ignoring --context; it requires an SELinux-enabled kernel")
	case s.HasValue:
		p.context, p.Context = true, s.Value
	case p.env.SELinux:
		p.Warnings = append(p.Warnings, "warning: ignoring --context: the policy's default contexts are not known to psync")
	}
	return nil
}

func (p *parser) setThreads(s getopt.Setting) (err error) {
	if p.Threads, err = strconv.Atoi(s.Value); err != nil || p.Threads < 1 || p.Threads > p.env.MaxThreads {
		return &gnucp.OperandError{Message: fmt.Sprintf("invalid number of threads: %s", quote.Word(s.Value, p.env.UTF8))}
	}
	return nil
}

// complete refuses invalid combinations of options, and derives what options mean together.
func (p *parser) complete() error {
	if p.Reflink == content.ReflinkAuto && p.Sparse == policy.SparseNever {
		p.Reflink = content.ReflinkNever
	}
	if p.HardLink && p.SymbolicLink {
		return &gnucp.UsageError{Message: "cannot make both hard and symbolic links"}
	}
	if p.backup && p.noClobber {
		return &gnucp.UsageError{Message: "options --backup and --no-clobber are mutually exclusive"}
	}
	if p.noClobber {
		p.Update = policy.UpdateNone
	}
	if p.backup && (p.Update == policy.UpdateNone || p.Update == policy.UpdateNoneFail) {
		return &gnucp.UsageError{Message: "--backup is mutually exclusive with -n or --update=none-fail"}
	}
	if p.Reflink == content.ReflinkAlways && p.Sparse != policy.SparseAuto {
		return &gnucp.UsageError{Message: "--reflink can be used only with --sparse=auto"}
	}
	if err := p.completeBackup(); err != nil {
		return err
	}
	if !p.followSet && (!p.Recursive || p.HardLink) {
		p.Follow = policy.FollowAll
	}
	if p.Preserve.RequireContext && !p.env.SELinux {
		return &gnucp.OperandError{Message: "cannot preserve security context without an SELinux-enabled kernel"}
	}
	if p.context {
		if p.Preserve.RequireContext {
			return &gnucp.OperandError{Message: "cannot set target context and preserve it"}
		}
		p.Preserve.Context = false
	}
	return nil
}

// completeBackup finds out how backups are named.
func (p *parser) completeBackup() (err error) {
	p.Suffix = cmp.Or(p.suffix, p.env.Getenv("SIMPLE_BACKUP_SUFFIX"))
	if p.Suffix == "" || strings.Contains(p.Suffix, "/") {
		p.Suffix = "~"
	}
	if !p.backup {
		return nil
	}
	control, origin := p.backupControl, "backup type"
	if control == "" {
		control, origin = p.env.Getenv("VERSION_CONTROL"), "$VERSION_CONTROL"
	}
	p.Backup = policy.ExistingBackups
	if control != "" {
		p.Backup, err = match(p, control, origin, backupWords)
	}
	return err
}

func match[T comparable](p *parser, value, option string, among words[T]) (T, error) {
	return getopt.Match(value, option, among, func(s string) string { return quote.Word(s, p.env.UTF8) })
}
