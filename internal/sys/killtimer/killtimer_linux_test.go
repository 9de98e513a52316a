package killtimer

import (
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestTimerCanBeMoved(t *testing.T) {
	timer, err := New()
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct{ at, least, most time.Duration }{
		{SinceBoot() + time.Hour, 59 * time.Minute, time.Hour},
		{SinceBoot() + 3*time.Hour, 179 * time.Minute, 3 * time.Hour},
		{0, 0, 0},
	} {
		if err := timer.Arm(tt.at); err != nil {
			t.Fatal(err)
		}
		if left := left(timer); left < tt.least || left > tt.most {
			t.Errorf("armed for %v: %v left", tt.at, left)
		}
	}
	if err := timer.Close(); err != nil {
		t.Error(err)
	}
	if err := timer.Arm(SinceBoot() + time.Hour); err == nil {
		t.Error("a timer that was closed can be armed")
	}
}

// left returns how long it takes until a timer kills the process; 0: it is not armed.
func left(timer *Timer) time.Duration {
	var spec unix.ItimerSpec
	_, _, errno := unix.Syscall(unix.SYS_TIMER_GETTIME, uintptr(timer.id), uintptr(unsafe.Pointer(&spec)), 0)
	if errno != 0 {
		return -1
	}
	return time.Duration(spec.Value.Nano())
}

// TestNoOneSetsTheClock shows why a change of the system's clock does not move them: the kernel refuses to set
// theirs even for root.
func TestNoOneSetsTheClock(t *testing.T) {
	now := unix.NsecToTimespec(int64(SinceBoot()))
	if err := unix.ClockSettime(unix.CLOCK_BOOTTIME, &now); err != unix.EINVAL {
		t.Errorf("clock_settime: %v", err)
	}
}
