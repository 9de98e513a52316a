package flags

import (
	"runtime"
	"strings"
	"testing"

	"psync/internal/content"
)

func TestRate(t *testing.T) {
	tests := []struct {
		text string
		want int64  // bytes a second
		err  string // "": there is none
	}{
		{"0", 0, ""},
		{"0K", 0, ""},
		{"0b", 0, ""},
		{"1", 1 << 10, ""},
		{"500", 500 << 10, ""},
		{"0.5", 512, ""},
		{"1.5", 1536, ""},
		{".5", 512, ""},
		{"100K", 100 << 10, ""},
		{"100k", 100 << 10, ""},
		{"100KiB", 100 << 10, ""},
		{"100KB", 100_000, ""},
		{"1.5m", 3 << 19, ""},
		{"1.5M", 3 << 19, ""},
		{"10MB", 10_000_000, ""},
		{"2G", 2 << 30, ""},
		{"512b", 512, ""},
		{"512B", 512, ""},
		{"1000b", 1000, ""},
		{"511b", 0, "no useful rate"},
		{"0.4", 0, "no useful rate"},
		{"0.4K", 0, "no useful rate"},
		{"1b", 0, "no useful rate"},
		{"0.0001", 0, "no useful rate"},
		{"", 0, "is not a rate"},
		{".", 0, "is not a rate"},
		{"K", 0, "is not a rate"},
		{"-5", 0, "is not a rate"},
		{"+5", 0, "is not a rate"},
		{"1.2.3", 0, "is not a rate"},
		{"1M+1", 0, "is not a rate"},
		{"1M-1", 0, "is not a rate"},
		{"5 M", 0, "is not a rate"},
		{"5X", 0, "is not a rate"},
		{"1e3", 0, "is not a rate"},
		{"8E", 0, "is not a rate"},
		{"fast", 0, "is not a rate"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			f, err := parse(Sync, "--bwlimit="+tt.text)
			switch {
			case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
				t.Errorf("error %v, want one about %q", err, tt.err)
			case tt.err == "" && (err != nil || int64(f.transfer.bwlimit) != tt.want):
				t.Errorf("%d bytes a second, %v, want %d", f.transfer.bwlimit, err, tt.want)
			case (f.Engine.Content.Pace != nil) != (tt.want > 0):
				t.Errorf("limited: %v", f.Engine.Content.Pace != nil)
			}
		})
	}
}

func TestDataFlags(t *testing.T) {
	type data struct {
		streams     int
		far         bool
		cutoff      int64
		reflink     content.Reflink
		preallocate bool
	}
	const m = 1 << 20
	auto := content.ReflinkAuto
	tests := []struct {
		args string
		want data
		err  string // "": there is none
	}{
		{"", data{4, true, 64 * m, auto, false}, ""},
		{"--multi-thread-streams 4", data{4, false, 64 * m, auto, false}, ""},
		{"--multi-thread-streams 1", data{1, false, 64 * m, auto, false}, ""},
		{"--multi-thread-streams=1024", data{1024, false, 64 * m, auto, false}, ""},
		{"--multi-thread-cutoff 1G", data{4, true, 1024 * m, auto, false}, ""},
		{"--multi-thread-cutoff=1MB --multi-thread-streams=2", data{2, false, 1e6, auto, false}, ""},
		{"--multi-thread-streams 0", data{}, "1 to 1024"},
		{"--multi-thread-streams 1025", data{}, "1 to 1024"},
		{"--multi-thread-streams -1", data{}, "1 to 1024"},
		{"--multi-thread-streams auto", data{}, "1 to 1024"},
		{"--multi-thread-cutoff large", data{}, `"large" is not a size`},
		{"--reflink auto", data{4, true, 64 * m, auto, false}, ""},
		{"--reflink always", data{4, true, 64 * m, content.ReflinkAlways, false}, ""},
		{"--reflink=never", data{4, true, 64 * m, content.ReflinkNever, false}, ""},
		{"--reflink=Never", data{}, "none of auto, always, never"},
		{"--reflink=", data{}, "none of auto, always, never"},
		{"--reflink always --reflink auto --sparse", data{4, true, 64 * m, auto, false}, ""},
		{"--preallocate", data{4, true, 64 * m, auto, true}, ""},
		{"--preallocate --reflink never", data{4, true, 64 * m, content.ReflinkNever, true}, ""},
		{"--preallocate --sparse", data{4, true, 64 * m, auto, true}, ""},
		{"--preallocate --reflink always", data{}, "--preallocate makes blocks"},
		{"--sparse --reflink always", data{}, "--sparse looks for zeros"},
		{"-S --reflink=always", data{}, "exclude each other"},
		{"--sparse --reflink never", data{4, true, 64 * m, content.ReflinkNever, false}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			f, err := parse(Copy, strings.Fields(tt.args)...)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want one about %q", err, tt.err)
				}
				return
			}
			got := data{f.Engine.Streams, f.Engine.StreamsFar, f.Engine.Cutoff, f.Engine.Content.Reflink, f.Engine.Content.Preallocate}
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func TestThreads(t *testing.T) {
	near := min(runtime.GOMAXPROCS(0), 16)
	tests := []struct {
		args                string
		local, network, max int
		auto                bool
		err                 string // "": there is none
	}{
		{"", near, 64, 1024, false, ""},
		{"-j0", near, 64, 1024, false, ""},
		{"-j1", 1, 1, 1024, false, ""},
		{"--threads 1024", 1024, 1024, 1024, false, ""},
		{"-j auto", near, 64, 256, true, ""},
		{"--threads=auto", near, 64, 256, true, ""},
		{"--transfers auto", near, 64, 256, true, ""},
		{"-jauto -j4", 4, 4, 1024, false, ""},
		{"-j4 -jauto", near, 64, 256, true, ""},
		{"-j1025", 0, 0, 0, false, "1 to 1024"},
		{"-j -1", 0, 0, 0, false, "1 to 1024"},
		{"-j Auto", 0, 0, 0, false, "a number, or auto"},
		{"-j 1.5", 0, 0, 0, false, "a number, or auto"},
		{"--threads=", 0, 0, 0, false, "a number, or auto"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			f, err := parse(Sync, strings.Fields(tt.args)...)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want one about %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			n := f.Threads
			local, later := n.First(false, 0)
			network, _ := n.First(true, 0)
			if local != tt.local || network != tt.network || n.Most() != tt.max || n.Auto != tt.auto {
				t.Errorf("%d, on a network %d, at most %d, auto %v", local, network, n.Most(), n.Auto)
			}
			if want := max(local, 16); tt.local == near && !tt.auto && later != want || tt.local != near && later != local {
				t.Errorf("grows to %d", later)
			}
		})
	}
}
