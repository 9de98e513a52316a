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

// A T is the state of a check, with its directory or a directory in it. Like those of testing.T, its methods
// end the check if it makes no sense to continue.
type T struct {
	*Session
	Dir      vfs.Dir
	ctx      context.Context
	out      *Outcome
	cleanups *[]func() error // for when the check ends
}

// ended is the panic value of a check that has a verdict.
type ended struct{}

// Context returns the context of the check.
func (t *T) Context() context.Context { return t.ctx }

// Cleanup registers a function to call when the check ends.
func (t *T) Cleanup(f func() error) { *t.cleanups = append(*t.cleanups, f) }

func (t *T) end(v Verdict, format string, args []any) {
	t.out.Verdict, t.out.Why = v, fmt.Sprintf(format, args...)
	panic(ended{})
}

// Fatalf ends the check as failed, Skipf as skipped.
func (t *T) Fatalf(format string, args ...any) { t.end(Failed, format, args) }
func (t *T) Skipf(format string, args ...any)  { t.end(Skipped, format, args) }

// Logf records a message.
func (t *T) Logf(format string, args ...any) {
	t.out.Log = append(t.out.Log, fmt.Sprintf(format, args...))
}

// Must ends the check if err is not nil.
func (t *T) Must(err error) {
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// MustOrSkip skips the check if the volume does not support something, or the user is not permitted to do it.
func (t *T) MustOrSkip(err error) {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		t.Skipf("%v", err)
	}
	t.Must(err)
}

// MustFail ends the check as failed if err is nil, and logs the error otherwise.
func (t *T) MustFail(what string, err error) {
	if err == nil {
		t.Fatalf("%s was allowed", what)
	}
	t.Logf("%s: %v", what, Reason(err))
}

// SkipIfServerACLs skips the check if a server decides about owners, modes and ACLs: an ACL that denies could
// never be removed.
func (t *T) SkipIfServerACLs() {
	if t.Volume.ServerACLs {
		t.Skipf("a server decides about owners, modes and ACLs")
	}
}

// Try logs the result of an operation, and reports whether it succeeded.
func (t *T) Try(what string, err error) bool {
	if err != nil {
		t.Logf("%s: %v", what, Reason(err))
	}
	return err == nil
}

// TryOnce is Try for operations of many checks: a session logs them once.
func (t *T) TryOnce(what string, err error) bool {
	if err != nil && !t.reported[what] {
		t.reported[what] = true
		t.Logf("the volume lacks %s: %v", what, Reason(err))
	}
	return err == nil
}

// Reason returns the cause of an error, without the operation and path.
func Reason(err error) error {
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// Equal ends the check as failed unless got equals want.
func Equal[V comparable](t *T, what string, got, want V) {
	if got != want {
		t.Fatalf("%s is %v, not %v", what, got, want)
	}
}

// SameTime ends the check as failed unless got equals want with the granularity of the volume.
func (t *T) SameTime(what string, got, want time.Time) {
	if !t.TimesAgree(got, want) {
		t.Fatalf("%s is %s, not %s", what, Clock(got), Clock(want))
	}
}

// TimesAgree reports whether two times are equal with the granularity of the volume.
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
