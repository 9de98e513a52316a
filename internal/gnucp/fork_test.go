package gnucp

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// TestLostForksAreCounted uses other attributes in place of those that hold forks on macOS.
func TestLostForksAreCounted(t *testing.T) {
	dir := tree(t, "src/", "src/a: text", "src/b: text", "src/c: text", "one: text")
	for name, attr := range map[string]string{"src/a": "user.fork", "src/b": "user.info", "src/c": "user.other", "one": "user.fork"} {
		setXattr(t, filepath.Join(dir, name), attr)
	}
	const files, warning = " of %FILES was not copied; 'psync copy' copies it\n", "cp: warning: the resource fork or Finder info"
	for _, tt := range []struct {
		name, src string
		preserve  policy.Preserve
		forks     []string
		want      string
	}{
		{"a tree", "src", policy.Preserve{}, []string{"user.fork", "user.info"}, "2 files"},
		{"a file", "one", policy.Preserve{}, []string{"user.fork"}, "1 file"},
		{"without forks", "src/c", policy.Preserve{}, []string{"user.fork"}, ""},
		{"preserved", "src", policy.Preserve{Xattr: true}, []string{"user.fork"}, ""},
		{"elsewhere", "src", policy.Preserve{}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			ok, err := Copy(t.Context(), Job{
				Options:  policy.Options{Threads: 2, Recursive: true, Follow: policy.FollowNone, Preserve: tt.preserve},
				Operands: []string{filepath.Join(dir, tt.src), filepath.Join(dir, strings.ReplaceAll(tt.name, " ", "-"))},
				Name:     "cp", UTF8: true, Host: localfs.Host{}, Forks: tt.forks,
				Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Stats: new(report.Stats),
			})
			want := ""
			if tt.want != "" {
				want = warning + strings.ReplaceAll(files, "%FILES", tt.want)
			}
			if !ok || err != nil || out.String() != want {
				t.Errorf("ok %v, error %v, said %q, want %q", ok, err, out.String(), want)
			}
		})
	}
}

// setXattr sets an extended attribute of a file, or skips the test where the file system has none.
func setXattr(t *testing.T, path, name string) {
	t.Helper()
	d, err := localfs.Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	n, err := d.Node(filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	err = vfs.SetXattr(n, name, []byte("x"))
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
