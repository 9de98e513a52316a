package ui

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
	if IsTerminal(new(bytes.Buffer)) || IsTerminal(w) || IsTerminal(null) {
		t.Error("something is taken for a terminal")
	}
	if got, rows := terminalSize(w); got != 80 || rows != 0 {
		t.Errorf("size of a pipe = %d, %d, want the usual 80 columns, and no lines below a bar", got, rows)
	}
}
