package bench

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLimitCopiesComparesAndDeletes(t *testing.T) {
	dir, src := t.TempDir(), smallTree(t)
	if err := compileLimit(t.Context(), look(t, "cc"), dir); err != nil {
		t.Fatal(err)
	}
	w, err := newWorkload(t.Context(), "tiny", "a tree", src)
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{src: src, dst: filepath.Join(dir, "copy"), limit: limitProgram(dir)}
	do := func(k kind) error {
		_, err := execute(t.Context(), limitPeer().command(k, st))
		return err
	}
	if err := do(copying); err != nil {
		t.Fatal(err)
	}
	if lost, err := verify(t.Context(), scene{workload: w, kind: copying}, st.dst); err != nil || len(lost) > 0 {
		t.Errorf("the copy lacks %v, %v", lost, err)
	}
	if err := do(noop); err != nil {
		t.Errorf("the copy differs: %v", err)
	}
	if err := os.WriteFile(filepath.Join(st.dst, "sub", "file"), []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	if do(noop) == nil {
		t.Error("a changed file was not found")
	}
	if err := do(deleting); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(t.Context(), scene{workload: w, kind: deleting}, st.dst); err != nil {
		t.Error(err)
	}
}

func TestBaselineIsTheLimitWhereItIsMeasured(t *testing.T) {
	with := append(knownPeers(), limitPeer())
	for _, tt := range []struct {
		name  string
		opt   options
		kind  kind
		peers []peer
		want  string
	}{
		{"a copy", options{}, copying, with, limitName},
		{"nothing to do", options{}, noop, with, limitName},
		{"a delete", options{}, deleting, with, limitName},
		{"what the limit cannot do", options{}, changed, with, "rsync -a"},
		{"without a compiler", options{}, copying, knownPeers(), "cp -r"},
		{"another host", options{ssh: true}, copying, sshPeers(), "rsync -a"},
	} {
		if got := tt.opt.baseline(tt.kind, tt.peers); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
