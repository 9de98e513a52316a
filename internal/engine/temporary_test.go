package engine

import "testing"

func TestAbandoned(t *testing.T) {
	us := Temporaries{Host: 0xabc, PID: 100, Run: 7, Alive: func(pid int) bool { return pid == 200 }}
	by := func(host uint32, pid int, run uint32) string {
		return Temporaries{Host: host, PID: pid, Run: run}.name(1)
	}
	tests := []struct {
		name string
		file string
		want bool
	}{
		{"a process that is gone", by(0xabc, 300, 9), true},
		{"a process that lives", by(0xabc, 200, 9), false},
		{"ourselves", by(0xabc, 100, 7), false},
		{"an earlier process with our number", by(0xabc, 100, 6), true},
		{"another host", by(0xdef, 300, 9), false},
		{"a damaged checksum", by(0xabc, 300, 9) + "0", false},
		{"a similar name", ".psync-notes", false},
		{"only the prefix", ".psync-", false},
		{"a right checksum of something else", checked(".psync-hello"), false},
		{"some other file", "f", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := us.abandoned(tt.file); got != tt.want {
				t.Errorf("abandoned(%q) = %v, want %v", tt.file, got, tt.want)
			}
		})
	}
}

func TestTemporaryNamesAreShortAndDistinct(t *testing.T) {
	us := Temporaries{Host: 1<<32 - 1, PID: 1<<31 - 1, Run: 1<<32 - 1}
	a, b := us.name(1), us.name(1<<64-1)
	if a == b || len(b) > 100 {
		t.Errorf("names %q and %q", a, b)
	}
}

func TestSweepRemovesOnlyAbandonedTemporaries(t *testing.T) {
	gone := Temporaries{Host: 1, PID: 99, Run: 1}.name(5)
	foreign := Temporaries{Host: 9, PID: 99, Run: 1}.name(5)
	b := newTestbed(t, "d/f 644 x\n", "d/"+gone+" 644 part\n"+"d/"+foreign+" 644 part\nd/.psync-notes 644 mine\n")
	b.mustRun(t)
	_, dst := b.trees(t)
	want := "d/ 755\nd/" + foreign + " 644 part\nd/.psync-notes 644 mine\nd/f 644 x\n"
	if dst != want {
		t.Errorf("destination:\n%s\nwant:\n%s", dst, want)
	}
}
