// Package cli reads flags, connects the packages below it, and maps errors to exit codes and hints.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/argv"
	"psync/internal/cli/flags"
	"psync/internal/cli/foreign"
	"psync/internal/cli/help"
	"psync/internal/cli/misuse"
	"psync/internal/cli/stdout"
	"psync/internal/metrics"
	"psync/internal/report"
	"psync/internal/run"
	"psync/internal/sshhost"
	"psync/internal/ui/hang"
)

// An app is one invocation of psync.
type app struct {
	Process
	started   bool // the command line was valid
	exit      int  // the exit code of a run that took place
	unstarted int  // the exit code of a run that could not start, if it is not ExitOperands
	activity  report.Activity
	// ignoresFlags says that flags of other programs that have no effect are defined.
	ignoresFlags bool
	// definesAll says that all flags are defined, even if one verb is to be run.
	definesAll bool
	// typed is what follows the verb, unless all flags are defined, and help and completion are prepared.
	typed []string

	line []string // the command line as cobra gets it

	figures func(run.Result)              // writes the figures of a run in another format; may be nil
	exitAs  func(code int, err error) int // returns the exit code of another program for that of a run; may be nil

	metrics *metrics.Server // nil: they are not wanted

	dialer *sshhost.Dialer // nil as long as every operand is on this host
}

// A Process holds what a run gets from its process.
type Process struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Confine lets runs have the kernel forbid the process, for good, to change what they have no business with.
	Confine bool
	// AlwaysShare makes workers share everything that can be shared; see [engine.Options]. It is for tests.
	AlwaysShare bool
	// Connecting, unless nil, is called before another host is connected to or served.
	Connecting func()
	// Cluster shares jobs with other hosts; nil: this program does not.
	Cluster Cluster
}

// Run runs a command line, which starts with the name of the program. It runs cp or rsync if the name or the first argument
// is that, and [Main] otherwise.
func Run(ctx context.Context, line []string, p Process) int {
	args := line[min(1, len(line)):]
	if err := argv.CheckOther(args, exists); err != nil && !calledCp(line) && !calledRsync(line) {
		complain(p.Stderr, err, hintFor(err))
		return ExitUsage
	}
	if name, args, ok := asCp(line, os.Getenv); ok {
		return runCp(ctx, name, args, p)
	}
	if args, ok := asRsync(line); ok {
		return runRsync(ctx, args, p)
	}
	return Main(ctx, args, p)
}

// Main runs psync with the arguments that follow the program's name, and returns its exit code. When ctx ends,
// the run ends cleanly; the cause [run.ErrInterrupted] means that the user wants the run to end. If stdout is a
// file, Main closes it at the end.
func Main(ctx context.Context, args []string, p Process) int {
	out := &stdout.Writer{To: p.Stdout}
	p.Stdout = out
	a := &app{Process: p}
	defer a.disconnect()
	stop := hang.Watch(ctx, p.Stderr, a.activity.Paths)
	defer stop()
	code, comparison := a.execute(ctx, args)
	if err := out.Close(); err != nil {
		complain(p.Stderr, err, "")
		return withoutOutput(code, comparison)
	}
	return code
}

// execute executes the command line. It returns the exit code, and whether it is the exit code of a comparison.
func (a *app) execute(ctx context.Context, args []string) (code int, comparison bool) {
	a.typed = nil
	root := a.verbAlone(args)
	if root == nil {
		root = a.rootCommand()
	}
	line := argv.Line{
		IsVerb:     func(arg string) bool { return isVerb(root, arg) },
		TakesValue: func(arg string) bool { return flags.TakesValue(root.Flags(), arg) },
		TakesValueAfter: func(verb, arg string) bool {
			c, _, _ := root.Find([]string{verb})
			return flags.TakesValue(c.Flags(), arg)
		},
		Operands: bareOperands,
		Exists:   exists,
	}
	if err := line.Check(args); err != nil {
		complain(a.Stderr, err, hintFor(err))
		c, _, _ := root.Find([]string{err.Verb})
		return usageCode(c), false
	}
	completeLegacy(a.Stdout, args)
	a.line = completionLine(line, args)
	root.SetArgs(a.line)
	c, err := root.ExecuteContextC(ctx)
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		f, known := foreign.Named(e.GetSpecifiedName())
		ignored := known && !f.Refused && !a.ignoresFlags
		if ignored || a.typed != nil {
			// Few command lines need the others, and it takes time to define them.
			a.definesAll, a.ignoresFlags = true, a.ignoresFlags || ignored
			return a.execute(ctx, args)
		}
	}
	_, comparison = c.Annotations[usageExit]
	if err == nil {
		return a.exit, comparison
	}
	verb := ""
	if c == root {
		verb = misuse.MistypedVerb(root, args)
	}
	if a.started || isUntrusted(err) { // the latter comes from files that are read with the command line
		if errors.Is(err, run.ErrNoHost) {
			verb = misuse.OneDash(c, a.line, new(app).rootCommand())
		}
		complain(a.Stderr, err, cmp.Or(verb, hintFor(err)))
		return a.exitOfError(err), comparison
	}
	hint := cmp.Or(verb, misuse.OneDash(c, a.line, new(app).rootCommand()), misuse.Hint(c))
	complain(a.Stderr, misuse.Error(c, a.line, err, new(app).rootCommand), hint)
	return usageCode(c), comparison
}

func isVerb(root *cobra.Command, arg string) bool {
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == arg || c.HasAlias(arg) })
}

func (a *app) rootCommand() *cobra.Command {
	root := a.copyingCommand("psync", flags.Bare)
	for _, v := range flaggedVerbs {
		root.AddCommand(v.command(a))
	}
	root.AddCommand(a.cpCommand(), a.rsyncCommand(), a.statusCommand(), a.reportCommand(), a.selftestCommand(), a.clusterCommand(), versionCommand(), manCommand(root), completionCommand(root))
	root.SetOut(a.Stdout)
	root.SetHelpCommand(help.Command(root))
	root.InitDefaultHelpCmd()
	a.finish(root)
	defineVersion(root)
	return root
}

// flaggedVerbs are those whose flags take time to define.
var flaggedVerbs = []struct {
	name    string
	command func(*app) *cobra.Command
}{
	{"copy", func(a *app) *cobra.Command { return a.copyingCommand("copy", flags.Copy) }},
	{"sync", func(a *app) *cobra.Command { return a.copyingCommand("sync", flags.Sync) }},
	{"compare", (*app).compareCommand},
	{"delete", (*app).deleteCommand},
	{"serve", (*app).serveCommand},
}

// verbAlone returns the root command with no verb but that which args begin with, or nil if they may mean something
// else. To define the flags of the others would take a tenth of the time to copy a file.
func (a *app) verbAlone(args []string) *cobra.Command {
	if len(args) == 0 || exists(args[0]) {
		return nil
	}
	for _, v := range flaggedVerbs {
		if v.name == args[0] {
			if !a.definesAll && !slices.ContainsFunc(args, asksForHelp) {
				a.typed = args[1:]
			}
			root := &cobra.Command{Use: "psync"}
			root.AddCommand(v.command(a))
			root.SetOut(a.Stdout)
			a.finish(root)
			return root
		}
	}
	return nil
}

// asksForHelp reports whether an argument may ask for help.
func asksForHelp(arg string) bool {
	return arg == "-h" || arg == "-help" || strings.HasPrefix(arg, "--help")
}

// define defines the flags of a verb on its command: those that were typed if nothing else is needed.
func (a *app) define(c *cobra.Command, verb flags.Verbs) *flags.Options {
	if a.typed != nil {
		return flags.DefineTyped(c, verb, a.typed)
	}
	help.Describe(c, c.Name())
	o := flags.Define(c, verb)
	o.CompleteValues(c)
	if a.ignoresFlags {
		o.DefineIgnored(c.Flags())
	}
	return o
}

// finish sets up what all verbs have in common.
func (a *app) finish(root *cobra.Command) {
	root.SetErr(a.Stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetHelpFunc(help.Show)
	root.SetFlagErrorFunc(help.FlagError)
	help.DefineFlag(root)
	for _, c := range root.Commands() {
		help.DefineFlag(c)
	}
}

// bareOperands returns the operands of args without a verb, or false if flags among args are invalid.
func bareOperands(args []string) ([]string, bool) {
	c := new(app).copyingCommand("psync", flags.Bare)
	help.DefineFlag(c)
	f := c.Flags()
	line := argv.Line{IsVerb: func(string) bool { return false }, TakesValue: func(arg string) bool { return flags.TakesValue(f, arg) }}
	err := f.Parse(line.Expand(args))
	help, _ := f.GetBool("help")
	return f.Args(), err == nil && !help
}

// atMost accepts up to n operands.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return fmt.Errorf("%s: one operand too many for %s", args[n], c.CommandPath())
		}
		return nil
	}
}
