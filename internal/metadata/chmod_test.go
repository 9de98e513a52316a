package metadata

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/campaign"
)

func TestChmod(t *testing.T) {
	const dir = fs.ModeDir
	const suid, sgid, vtx = fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky
	tests := []struct {
		spec  string
		umask fs.FileMode
		mode  fs.FileMode
		want  fs.FileMode
	}{
		// Who, what and how.
		{"u+w", 0o22, 0o444, 0o644},
		{"ug+w", 0o22, 0o444, 0o664},
		{"a-w", 0o22, 0o666, 0o444},
		{"go=", 0o22, 0o777, 0o700},
		{"u+", 0o22, 0o640, 0o640},
		{"o=rx", 0o22, 0o640, 0o645},
		{"a=rw", 0o22, 0o777, 0o666},
		// No class is named: the bits in the umask stay unchanged.
		{"+w", 0o22, 0o444, 0o644},
		{"-w", 0o22, 0o666, 0o466},
		{"=r", 0o77, 0o777, 0o400},
		{"+rwx", 0, 0, 0o777},
		{"+s", 0o7777, 0o755, suid | 0o755},
		// For directories, and for all other entries.
		{"D755,F644", 0o22, 0o777, 0o644},
		{"D755,F644", 0o22, dir | 0o700, dir | 0o755},
		{"Du+w", 0o22, 0o444, 0o444},
		{"Fu+w", 0o22, dir | 0o555, dir | 0o555},
		{"Fu+w", 0o22, fs.ModeNamedPipe | 0o444, fs.ModeNamedPipe | 0o644},
		{"uD+w", 0o22, dir | 0o555, dir | 0o755},
		{"Dg+s,ug+w,Fo-w,+X", 0o22, dir | 0o755, dir | sgid | 0o775},
		{"Dg+s,ug+w,Fo-w,+X", 0o22, 0o646, 0o664},
		// X depends on the mode before the first change.
		{"a+X", 0o22, 0o644, 0o644},
		{"a+X", 0o22, 0o744, 0o755},
		{"a+X", 0o22, dir | 0o644, dir | 0o755},
		{"a-x,a+X", 0o22, 0o700, 0o711},
		{"a+x,g=X", 0o22, 0o600, 0o701},
		{"a-X", 0o22, 0o755, 0o644},
		// Special bits.
		{"u+s", 0o22, 0o755, suid | 0o755},
		{"g+s", 0o22, 0o755, sgid | 0o755},
		{"a+s", 0o22, 0o755, suid | sgid | 0o755},
		{"o+s", 0o22, 0o755, suid | 0o755},
		{"o+t", 0o22, 0o755, vtx | 0o755},
		{"+st", 0o22, 0o755, suid | vtx | 0o755},
		{"+ts", 0o22, 0o755, suid | 0o755},
		{"u-s", 0o22, suid | sgid | 0o755, sgid | 0o755},
		{"u=rwx", 0o22, suid | 0o755, suid | 0o755},
		{"ug=s", 0o22, suid | sgid | 0o755, suid | sgid | 0o005},
		// Numbers.
		{"644", 0o22, suid | 0o777, 0o644},
		{"D2775", 0o77, dir | 0o700, dir | sgid | 0o775},
		{"0", 0o22, 0o777, 0},
		{"00007777", 0o22, 0, suid | sgid | vtx | 0o777},
		// From one class to others.
		{"g=u", 0o22, 0o740, 0o770},
		{"go=u", 0o22, sgid | vtx | 0o750, 0o777},
		{"o+g", 0o22, 0o754, 0o755},
		{"u-o", 0o22, 0o705, 0o205},
		{"=u", 0o22, suid | 0o700, 0o755},
		// One after the other.
		{"u=rw,g=u,o=g,a-w,u+w", 0o22, 0, 0o644},
	}
	for _, tt := range tests {
		c, err := ParseChmod(tt.spec, tt.umask)
		if err != nil {
			t.Errorf("%s: %v", tt.spec, err)
			continue
		}
		if got := c.Apply(tt.mode); got != tt.want {
			t.Errorf("%s, umask %o, makes %v of %v, want %v", tt.spec, tt.umask, got, tt.mode, tt.want)
		}
	}
}

func TestParseChmodNamesTheBadPart(t *testing.T) {
	for spec, want := range map[string]string{
		"":           `"" is no change`,
		"u+w,":       `"" is no change`,
		"D":          `"D" has no +, - or =`,
		"u+w,g":      `"g" has no +, - or =`,
		"g*w":        `"g*w" has '*' where`,
		"u+w,DFu+w":  `"DFu+w" is for D and F`,
		"u+x-w":      `"u+x-w" has '-' where`,
		"u+q":        `"u+q" has 'q' where`,
		"u644":       `"u644" has a number after`,
		"64u":        `"64u" has 64u, which is no octal number`,
		"D685":       `"D685" has 685, which is no octal number`,
		"10000":      `"10000" has 10000, which is no octal number`,
		"888":        `"888" has '8' where`,
		"g=ur":       `"g=ur" has more than one of`,
		"g=ru":       `"g=ru" has more than one of`,
		"g=uo":       `"g=uo" has more than one of`,
		"u+w, g+w":   `" g+w" has ' ' where`,
		"rw-r--r--":  `"rw-r--r--" has 'r' where`,
		"u=rw,g=é,x": `"g=é" has `,
	} {
		c, err := ParseChmod(spec, 0o22)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "a+rX") {
			t.Errorf("%q: %v, %v; want an error that begins with %s and gives examples", spec, c, err, want)
		}
	}
}

// TestChmodAsRsync makes random changes, some of them nonsense, to entries of many
// modes.
func TestChmodAsRsync(t *testing.T) {
	rsync, err := exec.LookPath("rsync")
	if err != nil {
		t.Skip("rsync is not installed")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can read and make entries of all modes")
	}
	top := t.TempDir()
	src := filepath.Join(top, "src")
	var modes []fs.FileMode
	for _, perm := range []fs.FileMode{0, 0o777, 0o644, 0o751, 0o421, 0o124, 0o070, 0o606, 0o010} {
		for _, special := range []fs.FileMode{0, fs.ModeSetuid, fs.ModeSetgid | fs.ModeSticky} {
			modes = append(modes, special|perm, special|perm|fs.ModeDir)
		}
	}
	for i, mode := range modes {
		path := filepath.Join(src, fmt.Sprint(i))
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if !mode.IsDir() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	run := func(umask fs.FileMode, dst string, specs []string) ([]byte, error) {
		args := []string{"-c", fmt.Sprintf(`umask %04o; exec "$@"`, umask), "sh", rsync, "-rp"}
		for _, s := range specs {
			args = append(args, "--chmod="+s)
		}
		return exec.Command("sh", append(args, src+"/", dst+"/")...).CombinedOutput()
	}
	if out, err := run(0, filepath.Join(top, "probe"), []string{"g=u"}); err != nil {
		t.Skipf("this rsync knows no copies between classes, as those before 3.5: %v, %s", err, out)
	}

	rounds := campaign.Size("CHMODS", 20, 60)
	r := rand.New(rand.NewPCG(1, 2))
	bad := 0
	for round := range rounds {
		umask := []fs.FileMode{0o22, 0, 0o77, 0o27}[r.IntN(4)]
		specs := []string{randomChmod(r)}
		if r.IntN(4) == 0 {
			specs = append(specs, randomChmod(r))
		}
		var changes Chmod
		var parseErr error
		for _, s := range specs {
			c, err := ParseChmod(s, umask)
			if err != nil {
				parseErr = err
				bad++
				break
			}
			changes = append(changes, c...)
		}
		dst := filepath.Join(top, fmt.Sprint("dst", round))
		out, err := run(umask, dst, specs)
		if err != nil && !bytes.Contains(out, []byte("--chmod")) {
			t.Fatalf("rsync --chmod=%q: %v, %s", specs, err, out)
		}
		if (err != nil) != (parseErr != nil) {
			t.Errorf("%q: ours says %v, rsync %v, %s", specs, parseErr, err, out)
		}
		if err != nil || parseErr != nil {
			continue
		}
		for i, mode := range modes {
			info, err := os.Lstat(filepath.Join(dst, fmt.Sprint(i)))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := changes.Apply(mode), info.Mode(); got != want {
				t.Errorf("%q, umask %o, makes %v of %v, rsync %v", specs, umask, got, mode, want)
			}
		}
		if err := os.RemoveAll(dst); err != nil {
			t.Fatal(err)
		}
	}
	if bad == 0 || bad > rounds/2 {
		t.Errorf("%d of %d specs were nonsense, which tests little", bad, rounds)
	}
}

// randomChmod returns one to three changes, most of which mean something.
func randomChmod(r *rand.Rand) string {
	pick := func(from string, most int) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			b.WriteByte(from[r.IntN(len(from))])
		}
		return b.String()
	}
	one := func() string {
		prefix := []string{"", "", "D", "F"}[r.IntN(4)]
		switch r.IntN(12) {
		case 0, 1:
			return prefix + string(rune('0'+r.IntN(8))) + pick("01234567", 4)
		case 2, 3, 4:
			return prefix + pick("ugoa", 2) + string("+-="[r.IntN(3)]) + string("ugo"[r.IntN(3)])
		case 5:
			if r.IntN(3) == 0 {
				return pick("DFugoa+-=rwxXst0178 ", 6)
			}
		}
		return prefix + pick("ugoa", 3) + string("+-="[r.IntN(3)]) + pick("rwxXst", 4)
	}
	items := []string{one()}
	for range r.IntN(3) {
		items = append(items, one())
	}
	return strings.Join(items, ",")
}
