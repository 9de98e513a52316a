package gnucp

import (
	"errors"
	"math/rand/v2"
	"syscall"
)

// replace has an entry made by a name of its own beside dst, and gives it the name of dst.
func (w *worker) replace(dst place, create func(name string) error) error {
	prefix := dst.name[:len(dst.name)-len(lastElement(dst.name))] + "Cu"
	for range 1000 { // as often as others could be at it
		temp := prefix + letterSuffix()
		err := create(temp)
		if errors.Is(err, syscall.EEXIST) {
			continue
		}
		if err != nil {
			return err
		}
		err = dst.at.Rename(temp, dst.name)
		// Where both are names of one file already, renaming has left both.
		if removed := dst.at.Remove(temp); err == nil && !errors.Is(removed, syscall.ENOENT) {
			err = removed
		}
		return err
	}
	return syscall.EEXIST
}

// letterSuffix returns six letters and digits at random.
func letterSuffix() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	var suffix [6]byte
	for i := range suffix {
		suffix[i] = letters[rand.IntN(len(letters))]
	}
	return string(suffix[:])
}
