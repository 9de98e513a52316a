package sys

import (
	"os"
	"testing"
	"time"
)

func TestStartOf(t *testing.T) {
	const fields = " S 1 42 42 0 -1 4194560 100 0 0 0 0 0 0 0 20 0 1 0 987654 1000 10"
	tests := []struct {
		stat string
		want uint64
		ok   bool
	}{
		{"42 (psync)" + fields, 987654, true},
		{"42 (a ) S 1 (b)" + fields, 987654, true},
		{"42 (psync) S 1", 0, false},
		{"", 0, false},
	}
	for _, tt := range tests {
		if got, ok := startOf([]byte(tt.stat)); got != tt.want || ok != tt.ok {
			t.Errorf("startOf(%q) = %d, %v, want %d, %v", tt.stat, got, ok, tt.want, tt.ok)
		}
	}
}

func TestBootIsInThePast(t *testing.T) {
	if b := BootTime(); b.IsZero() || !b.Before(time.Now()) {
		t.Errorf("booted at %v", b)
	}
	if BootID() == "" {
		if _, err := os.Stat("/proc/sys/kernel/random/boot_id"); err == nil {
			t.Error("this boot has no identity")
		}
	}
}
