package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/run"
)

// plantSource makes a directory src with a file and a directory, and returns options of a copy to dst beside it.
func plantSource(t *testing.T) (o run.Options, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"src/a": "text", "src/below/b": "more"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return run.Options{
		Sources: []string{filepath.Join(dir, "src") + "/"}, Dest: filepath.Join(dir, "dst"),
		Operands: operand.Options{MakeDest: true},
		Engine:   engine.Options{Keep: metadata.Keep{Mtime: true}},
	}, dir
}

func TestDryRunMakesNothing(t *testing.T) {
	o, _ := plantSource(t)
	o.Engine.DryRun = true
	result, err := run.Copy(t.Context(), o, nil)
	if err != nil || result.Totals[report.FilesSeen] != 2 {
		t.Errorf("%d files seen, %v", result.Totals[report.FilesSeen], err)
	}
	if _, err := os.Lstat(o.Dest); err == nil {
		t.Error("the destination was made")
	}
}

func TestCopyWithFilesBesideDest(t *testing.T) {
	o, dir := plantSource(t)
	file := func(name string) string { return filepath.Join(dir, name) }
	o.Output = run.Output{Journal: file("journal"), JSON: file("json"), Log: file("log"), Manifest: file("manifest"), Failures: file("failures"), MHL: true}
	result, err := run.Copy(t.Context(), o, nil)
	if err != nil || result.Audit == nil || !result.Audit.Complete || result.Audit.Found != 2 {
		t.Fatalf("audit %+v, %v", result.Audit, err)
	}
	for name, want := range map[string]string{"json": `"audit":{"journal":`, "log": "exit status 0", "manifest": "  below/b\n", "failures": ""} {
		if text, err := os.ReadFile(file(name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s is %q, %v; want %q in it", name, text, err, want)
		}
	}
	if _, err := os.Stat(file("dst/ascmhl")); err != nil {
		t.Error(err)
	}
	if _, err := run.Copy(t.Context(), o, nil); err == nil {
		t.Error("the journal of another run is written anew")
	}
}

func TestFileBesideDestInSource(t *testing.T) {
	o, dir := plantSource(t)
	o.Output.Log = filepath.Join(dir, "src/log")
	if _, err := run.Copy(t.Context(), o, nil); !errors.As(err, new(*operand.SideFileError)) {
		t.Errorf("got %v", err)
	}
}

// What a run holds is free again when it is closed, whether it was carried out or not.
func TestCloseReleasesWhatWasNotFinished(t *testing.T) {
	o, dir := plantSource(t)
	o.Output.Journal, o.Output.JSON = filepath.Join(dir, "journal"), filepath.Join(dir, "json")
	r, err := run.OpenCopy(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.OpenCopy(t.Context(), o); err == nil {
		t.Fatal("two runs share a journal")
	}
	r.Close()
	o.Output.Resume = true
	if result, err := run.Copy(t.Context(), o, nil); err != nil || result.Totals[report.FilesCopied] != 2 {
		t.Errorf("%d files copied, %v", result.Totals[report.FilesCopied], err)
	}
}

func TestLogToNoOutput(t *testing.T) {
	o, _ := plantSource(t)
	o.Output.JSON = "-"
	if _, err := run.Copy(t.Context(), o, nil); err == nil || !strings.Contains(err.Error(), "no standard output") {
		t.Errorf("got %v", err)
	}
}

func TestComparison(t *testing.T) {
	o, dir := plantSource(t)
	if _, err := run.Copy(t.Context(), o, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "dst/below/b")); err != nil {
		t.Fatal(err)
	}
	o.Engine = engine.Options{Policy: plan.Policy{Sync: true, Checksum: true}}
	r, err := run.OpenComparison(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	steps := make(steps, 10)
	result, err := r.Finish(t.Context(), r.Do(t.Context(), steps), nil)
	close(steps)
	var names []string
	for e := range steps {
		names = append(names, e.Path())
	}
	if err != nil || result.Err != nil || !slices.Equal(names, []string{"below/b"}) {
		t.Errorf("differences %q, %v, %v", names, err, result.Err)
	}
}

// steps is a sink that keeps steps.
type steps chan report.Event

func (s steps) Event(e report.Event) {
	if e.Kind == report.Copy {
		e.Root = ""
		s <- e
	}
}

func TestRemovalThatIsNotMeant(t *testing.T) {
	o, dir := plantSource(t)
	o.Sources, o.Dest = []string{filepath.Join(dir, "src")}, ""
	o.Output.JSON = filepath.Join(dir, "json")
	if _, err := run.OpenRemoval(t.Context(), o, false, func(context.Context) bool { return false }); !errors.Is(err, run.ErrDeclined) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(o.Output.JSON); err == nil {
		t.Error("a log was begun")
	}
	r, err := run.OpenRemoval(t.Context(), o, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if result := r.Do(t.Context(), nil); result.Err != nil || result.Totals[report.FilesDeleted] != 2 {
		t.Errorf("%d files removed, %v", result.Totals[report.FilesDeleted], result.Err)
	}
}

func TestOtherHostWithoutDialer(t *testing.T) {
	o, _ := plantSource(t)
	o.Dest = "host:dst"
	if _, err := run.Copy(t.Context(), o, nil); err == nil || !strings.Contains(err.Error(), "nothing connects") {
		t.Errorf("got %v", err)
	}
}
