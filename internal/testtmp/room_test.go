package testtmp

import "testing"

func TestHoldsPrograms(t *testing.T) {
	const root = "/dev/vda / ext4 rw,relatime 0 0\n"
	for _, c := range []struct {
		mounts string
		want   bool
	}{
		{root, false},
		{root + "tmpfs /dev/shm tmpfs rw,nosuid,nodev,inode64 0 0\n", true},
		{root + "tmpfs /dev/shm tmpfs rw,relatime,size=24683656k 0 0\n", true},
		{root + "shm /dev/shm tmpfs rw,nosuid,nodev,size=65536k 0 0\n", false},
		{root + "shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=24683656k 0 0\n", false},
		{root + "shm /dev/shm tmpfs ro,relatime 0 0\n", false},
		{root + "/dev/vdb /dev/shm xfs rw 0 0\n", false},
		{root + "tmpfs /dev/shm tmpfs rw 0 0\nshm /dev/shm tmpfs rw,noexec 0 0\n", false},
		{root + "shm /dev/shm tmpfs rw,noexec 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n", true},
		{root + "tmpfs /dev/shm2 tmpfs rw 0 0\n", false},
	} {
		if got := holdsPrograms("/dev/shm", c.mounts, 8<<20); got != c.want {
			t.Errorf("holdsPrograms = %v, want %v, for\n%s", got, c.want, c.mounts)
		}
	}
	if holdsPrograms("/dev/shm", "tmpfs /dev/shm tmpfs rw 0 0\n", 2<<20) {
		t.Error("2 GiB are enough")
	}
}
