package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A T is the directory of a check, or one in it, and what the check does there. Its
// methods end the check when it makes no sense to go on, as those of testing.T do.
type T struct {
	*Session
	Dir      vfs.Dir
	ctx      context.Context
	out      *Outcome
	cleanups *[]func() error // for when the check ends
}

// ended is what a check panics with that has its verdict.
type ended struct{}

// Context returns the context of the check.
func (t *T) Context() context.Context { return t.ctx }

// Cleanup has a function called when the check ends.
func (t *T) Cleanup(f func() error) { *t.cleanups = append(*t.cleanups, f) }

func (t *T) end(v Verdict, format string, args []any) {
	t.out.Verdict, t.out.Why = v, fmt.Sprintf(format, args...)
	panic(ended{})
}

// Fatalf ends the check as failed, Skipf as one that cannot be made here.
func (t *T) Fatalf(format string, args ...any) { t.end(Failed, format, args) }
func (t *T) Skipf(format string, args ...any)  { t.end(Skipped, format, args) }

// Logf keeps what may be of interest.
func (t *T) Logf(format string, args ...any) {
	t.out.Log = append(t.out.Log, fmt.Sprintf(format, args...))
}

// Must ends the check if something went wrong.
func (t *T) Must(err error) {
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// MustOrSkip ends the check without a failure if the volume lacks something, or the user
// must not have it.
func (t *T) MustOrSkip(err error) {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		t.Skipf("%v", err)
	}
	t.Must(err)
}

// MustFail wants an operation to have failed, and notes how.
func (t *T) MustFail(what string, err error) {
	if err == nil {
		t.Fatalf("%s was allowed", what)
	}
	t.Logf("%s: %v", what, Reason(err))
}

// SkipIfServerACLs skips a check where a server decides about owners, modes and ACLs: one that denies could
// not be removed any more.
func (t *T) SkipIfServerACLs() {
	if t.Volume.ServerACLs {
		t.Skipf("a server decides about owners, modes and ACLs")
	}
}

// Try notes how an operation ended, and reports whether it went well.
func (t *T) Try(what string, err error) bool {
	if err != nil {
		t.Logf("%s: %v", what, Reason(err))
	}
	return err == nil
}

// TryOnce is Try for what many checks do: a session notes it once.
func (t *T) TryOnce(what string, err error) bool {
	if err != nil && !t.reported[what] {
		t.reported[what] = true
		t.Logf("the volume lacks %s: %v", what, Reason(err))
	}
	return err == nil
}

// Reason returns an error without what it is about.
func Reason(err error) error {
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// Equal wants two values to be equal.
func Equal[V comparable](t *T, what string, got, want V) {
	if got != want {
		t.Fatalf("%s is %v, not %v", what, got, want)
	}
}

// SameTime wants a time to be what it was set to, as finely as the volume keeps times.
func (t *T) SameTime(what string, got, want time.Time) {
	if !t.TimesAgree(got, want) {
		t.Fatalf("%s is %s, not %s", what, Clock(got), Clock(want))
	}
}

// TimesAgree reports whether two times are the same to a volume.
func (t *T) TimesAgree(a, b time.Time) bool {
	return metadata.Tolerance{Granularity: max(t.Tick, t.Volume.Granularity, 1)}.Same(a, b)
}

// Clock returns a time for messages.
func Clock(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999999999") }

// Listed joins names for messages.
func Listed(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
