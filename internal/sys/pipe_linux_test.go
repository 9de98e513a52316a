package sys

import (
	"os"
	"testing"
)

// TestGrowPipe writes more than a pipe takes by default, without a reader.
func TestGrowPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	const size = 512 << 10
	if err := GrowPipe(w, size); err != nil {
		t.Skip(err) // the user has many pipes, or the system allows small ones only
	}
	if _, err := w.Write(make([]byte, size)); err != nil {
		t.Error(err)
	}
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := GrowPipe(file, size); err == nil {
		t.Error("a file is no pipe")
	}
}
