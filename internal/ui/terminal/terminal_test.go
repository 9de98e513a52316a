package terminal

import (
	"bytes"
	"os"
	"testing"
)

func TestBuffersPipesAndFilesAreNoTerminals(t *testing.T) {
	_, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if Is(new(bytes.Buffer)) || Is(w) || Is(null) {
		t.Error("something is taken for a terminal")
	}
	if got, rows := Size(w); got != 80 || rows != 0 {
		t.Errorf("size of a pipe = %d, %d, want the usual 80 columns, and no lines below a bar", got, rows)
	}
}
