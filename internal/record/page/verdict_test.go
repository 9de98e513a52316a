package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// runOf returns the last run of a log with a line for each event.
func runOf(t *testing.T, lines ...string) *Run {
	t.Helper()
	d := New()
	if err := d.Read(strings.NewReader(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	return d.Runs[len(d.Runs)-1]
}

const (
	copies    = `{"event":"start","schema":1,"verb":"sync"}`
	dry       = `{"event":"start","schema":1,"verb":"sync","dry_run":true}`
	compares  = `{"event":"start","schema":1,"verb":"compare","dry_run":true}`
	removes   = `{"event":"start","schema":1,"verb":"delete"}`
	failedDir = `{"event":"fail","type":"dir","path":"d","message":"denied"}`
	failed    = `{"event":"fail","path":"f","message":"denied"}`
	vanished  = `{"event":"vanish","path":"f"}`
)

func TestVerdict(t *testing.T) {
	end := func(members string) string { return `{"event":"summary",` + members + `}` }
	const audited = `"audit":{"complete":false,"found":4,"done":2,"failed":1,"missing":1}`
	tests := []struct {
		lines []string
		text  string
		good  bool
		more  string
		end   string
		fails int64
	}{
		{[]string{copies, end(`"found":3,"copied":1,"unchanged":2`)}, "All is there: 1 entry was copied and 2 were current.", true, "", "complete", 0},
		{[]string{copies, end(`"found":4,"copied":1,"unchanged":2,"skipped":1`)}, "All is there: 1 entry was copied and 2 were current, and 1 were skipped.", true, "", "complete", 0},
		{[]string{copies, failedDir, end(`"exit":23,"failures":1`)}, "1 directory could not be copied.", false, "", "1 failed", 1},
		{[]string{copies, failed, failedDir, end(`"exit":23,"failures":2,"failed":1`)}, "2 entries (1 directory among them) could not be copied.", false, "", "2 failed", 2},
		{[]string{copies, failed, vanished, end(`"exit":23,"failures":1,"vanished":1`)}, "1 entry could not be copied.", false, "1 entry of the source vanished before it was copied.", "2 failed", 2},
		{[]string{copies, vanished, end(`"exit":24,"vanished":1`)}, "1 entry of the source vanished before it was copied.", false, "", "1 failed", 1},
		{[]string{copies, `{"event":"unkept","asked":true,"attribute":"owner"}`, end(`"exit":23`)}, "1 attribute that was asked for could not be kept.", false, "", "exit status 23", 0},
		{[]string{copies, `{"event":"unkept","attribute":"owner"}`, end(`"copied":2`)}, "All is there: 2 entries were copied and 0 were current.", true, "1 attribute could not be kept.", "complete", 0},
		{[]string{copies, failedDir, end(`"exit":23,"failures":1,"error":"2 of 4 directories are not done",` + audited)}, "1 directory could not be copied.", false, "By the journal, 2 of 4 directories are done, 1 failed and 1 were not reached.", "1 failed", 1},
		{[]string{copies, end(`"exit":26,"error":"2 of 4 directories are not done",` + audited)}, "2 of 4 directories are not done.", false, "By the journal, 2 of 4 directories are done, 1 failed and 1 were not reached.", "2 of 4 directories are not done", 0},
		{[]string{copies, end(`"exit":25,"error":"nothing was removed"`)}, "Nothing was removed.", false, "", "nothing was removed", 0},
		{[]string{copies, end(`"exit":11,"error":"no space","unfinished":7`)}, "The last run ended early: no space.", false, "7 entries that were found were not reached.", "ended early", 0},
		{[]string{copies, end(`"exit":11`)}, "All entries were dealt with, but the run ended with exit status 11: something that it writes in addition may be missing.", false, "", "exit status 11", 0},
		{[]string{copies, failed, end(`"exit":20,"interrupted":true,"error":"interrupted"`)}, "The last run was interrupted.", false, "1 entry could not be copied.", "interrupted", 1},
		{[]string{copies, failed}, "The log of the last run has no end: it was killed, goes on, or its last lines are lost.", false, "1 entry could not be copied.", "no end in the log", 1},
		{[]string{copies, end(`"copied":2,"audit":{"complete":true,"found":5}`)}, "All is there: 2 entries were copied and 0 were current.", true, "The journal proves that 5 directories that were found are all done.", "complete", 0},
		{[]string{dry, end(`"found":3,"copied":1,"deleted":4`)}, "The last run was a dry run, which does nothing: 1 entry would be copied and 4 removed.", false, "", "complete", 0},
		{[]string{compares, end(`"found":3`)}, "The trees are equal: 3 entries were compared.", true, "", "equal", 0},
		{[]string{compares, end(`"exit":1,"found":3,"copied":1,"deleted":4`)}, "The trees differ: of 3 entries of the source, the destination lacks or has otherwise 1; it has 4 that the source lacks.", false, "", "different", 0},
		{[]string{compares, failed, end(`"exit":2,"found":3,"failures":1`)}, "1 entry could not be compared.", false, "", "1 failed", 1},
		{[]string{removes, end(`"deleted":4`)}, "All is removed: 4 entries.", true, "", "complete", 0},
		{[]string{removes, failedDir, end(`"exit":23,"failures":1`)}, "1 directory could not be removed.", false, "", "1 failed", 1},
	}
	for _, tt := range tests {
		r := runOf(t, tt.lines...)
		v := r.verdict()
		if more := strings.Join(v.More, " "); v.Text != tt.text || v.Good != tt.good || more != tt.more || r.ending() != tt.end {
			t.Errorf("%s:\n%q, %t, %q, %q, want\n%q, %t, %q, %q", tt.lines, v.Text, v.Good, more, r.ending(), tt.text, tt.good, tt.more, tt.end)
		}
		if r.Failed() != tt.fails || !slices.ContainsFunc(r.cards(), func(c card) bool { return c.Label == "Failed" && c.Value == fmt.Sprint(tt.fails) }) {
			t.Errorf("%s: %d failures, cards %v, want %d", tt.lines, r.Failed(), r.cards(), tt.fails)
		}
		if n := len(r.cards()); n%4 != 0 {
			t.Errorf("%s: %d cards do not fill rows of four", tt.lines, n)
		}
	}
}

func TestNextPass(t *testing.T) {
	pass := func(dest string, seconds, copied int, more string) string {
		return fmt.Sprintf(`{"event":"start","schema":1,"verb":"sync","sources":[{"path":"s"}],"dest":{"path":%q}}
{"event":"summary","t":%d,"found":100,"copied":%d,"bytes_copied":2048%s}
`, dest, seconds, copied, more)
	}
	const early = `,"exit":11,"error":"no space"`
	tests := []struct{ what, log, want string }{
		{"first", pass("d", 60, 100, ""), "The next pass looks at all entries again and copies what has changed: it takes less than the 1m0s of the pass that copied most of them."},
		{"second", pass("d", 60, 100, "") + pass("d", 3, 1, ""), "The next pass takes some 3s, as the last one did, if as much changes as before it (1 entry, 2 KiB)."},
		{"nothing to copy", pass("d", 3, 0, ""), "The next pass takes some 3s, as the last one did, if there is as little to copy."},
		{"early", pass("d", 60, 100, early), "No copy has come to its end, so there is no telling how long the next one takes."},
		{"early after another", pass("d", 60, 10, "") + pass("d", 3, 1, early), "The next pass takes some 1m0s, as the last one did, if as much changes as before it (10 entries, 2 KiB)."},
		{"another destination", pass("d", 60, 10, "") + pass("e", 3, 1, early), "No copy has come to its end, so there is no telling how long the next one takes."},
		{"before a comparison", pass("d", 60, 10, "") + compares + "\n" + `{"event":"summary","t":5}`, "The next pass takes some 1m0s, as the last one did, if as much changes as before it (10 entries, 2 KiB)."},
		{"a removal", removes + "\n" + `{"event":"summary","t":5}`, ""},
	}
	for _, tt := range tests {
		d, _ := digestOf(t, tt.log)
		if got := nextPass(d.Runs); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
}
