package gnucp

import (
	"errors"
	"math/rand/v2"
	"syscall"

	"psync/internal/gnucp/entry"
)

// replace has an entry made by a name of its own beside dst, and gives it the name of dst.
func (w *worker) replace(dst entry.Place, create func(name string) error) error {
	prefix := dst.Name[:len(dst.Name)-len(entry.LastElement(dst.Name))] + "Cu"
	for range 1000 { // as often as others could be at it
		temp := prefix + letterSuffix()
		err := create(temp)
		if errors.Is(err, syscall.EEXIST) {
			continue
		}
		if err != nil {
			return err
		}
		err = dst.At.Rename(temp, dst.Name)
		// Where both are names of one file already, renaming has left both.
		if removed := dst.At.Remove(temp); err == nil && !errors.Is(removed, syscall.ENOENT) {
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
