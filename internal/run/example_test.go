package run_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"psync/internal/engine"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/report"
	"psync/internal/run"
)

// A tree is copied into a directory that does not exist yet, with the times of its files.
func ExampleCopy() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.CopyFS(filepath.Join(dir, "src"), os.DirFS("../run")); err != nil {
		log.Fatal(err)
	}
	options := run.Options{
		Sources:  []string{filepath.Join(dir, "src") + "/"},
		Dest:     filepath.Join(dir, "dst"),
		Operands: operand.Options{MakeDest: true},
		Engine:   engine.Options{Keep: metadata.Keep{Mtime: true}},
	}
	result, err := run.Copy(context.Background(), options, nil)
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "dst", "example_test.go"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(text) > 0, result.Totals[report.FilesCopied] > 0, result.Totals[report.Failed])
	// Output: true true 0
}

// A caller that takes the steps one by one sees what a copy does.
func ExampleOpenCopy() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.WriteFile(filepath.Join(dir, "letter"), []byte("Dear reader,\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	r, err := run.OpenCopy(context.Background(), run.Options{
		Sources: []string{filepath.Join(dir, "letter")}, Dest: filepath.Join(dir, "copies"),
		Operands: operand.Options{MakeDest: true},
		Output:   run.Output{JSON: filepath.Join(dir, "log")},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	result := r.Do(context.Background(), printer{})
	if result, err = r.Finish(context.Background(), result, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Totals[report.BytesCopied], "bytes")
	// Output:
	// copied letter
	// 13 bytes
}

// A printer prints the names of the files that are copied.
type printer struct{}

// Event implements [report.Sink].
func (printer) Event(e report.Event) {
	if e.Kind == report.Copy {
		fmt.Println("copied", e.Name)
	}
}
