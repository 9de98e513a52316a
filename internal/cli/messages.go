package cli

import (
	"fmt"
	"io"
	"io/fs"
	"strings"

	"psync/internal/cli/flags"
	"psync/internal/ui"
)

// complain prints an error, and a hint if there is one. That a path was looked at by lstat does not matter.
func complain(w io.Writer, err error, hint string) {
	text := err.Error()
	if e, ok := err.(*fs.PathError); ok && strings.HasSuffix(e.Op, "stat") {
		text = e.Path + ": " + e.Err.Error()
	}
	fmt.Fprintf(w, "psync: error: %s\n", ui.Escape(text))
	advise(w, hint)
}

func advise(w io.Writer, hint string) {
	if hint != "" {
		fmt.Fprintf(w, "psync: hint: %s\n", hint)
	}
}

func (a *app) warn(o *flags.Options, what string) {
	if !o.UI.Quiet {
		fmt.Fprintf(a.Stderr, "psync: warning: %s\n", ui.Escape(what))
	}
}

// note informs the user of something that is not a reason to worry.
func (a *app) note(o *flags.Options, what string) {
	if !o.UI.Quiet {
		fmt.Fprintf(a.Stderr, "psync: note: %s\n", ui.Escape(what))
	}
}
