package killtimer

import (
	"errors"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Timer is a timer of the kernel that kills this process by SIGKILL, whether it runs, hangs in a call that can be
// killed, or is stopped by SIGSTOP or a frozen cgroup. Its clock counts since the system was booted, also while the system
// sleeps, and no one can set it.
type Timer struct{ id int32 }

// sigevent is struct sigevent of a 64-bit system.
type sigevent struct {
	value  uint64
	signal int32
	notify int32
	_      [48]byte
}

// New returns a timer that is not armed.
func New() (*Timer, error) {
	const sigevSignal = 0 // SIGEV_SIGNAL
	t := new(Timer)
	event := sigevent{signal: int32(unix.SIGKILL), notify: sigevSignal}
	_, _, errno := unix.Syscall(unix.SYS_TIMER_CREATE, unix.CLOCK_BOOTTIME, uintptr(unsafe.Pointer(&event)), uintptr(unsafe.Pointer(&t.id)))
	if errno != 0 {
		return nil, os.NewSyscallError("timer_create", errno)
	}
	return t, nil
}

// Arm has the timer kill the process at a time since boot, at once if that has passed; 0 disarms the timer.
func (t *Timer) Arm(at time.Duration) error {
	const absolute = 1 // TIMER_ABSTIME
	var spec unix.ItimerSpec
	spec.Value = unix.NsecToTimespec(int64(at))
	_, _, errno := unix.Syscall6(unix.SYS_TIMER_SETTIME, uintptr(t.id), absolute, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("timer_settime", errno)
	}
	return nil
}

// Close disarms and deletes the timer.
func (t *Timer) Close() error {
	_, _, errno := unix.Syscall(unix.SYS_TIMER_DELETE, uintptr(t.id), 0, 0)
	if errno != 0 {
		return os.NewSyscallError("timer_delete", errno)
	}
	return nil
}

// SinceBoot returns the time since the system was booted, including the time that it has slept.
func SinceBoot() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		panic(errors.New("clock_gettime: " + err.Error())) // the kernel has had this clock since 2.6.39
	}
	return time.Duration(now.Nano())
}
