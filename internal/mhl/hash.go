package mhl

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math/big"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// Format is the format of the hashes that psync computes.
const Format = "xxh64"

// isFormat reports whether histories may have hashes of a format. NewHash does not support all formats.
func isFormat(name string) bool {
	return slices.Contains([]string{"xxh64", "md5", "sha1", "c4", "xxh32", "xxh3", "xxh128"}, name)
}

// NewHash returns a hash for a format, or nil if the format is not supported.
func NewHash(format string) hash.Hash {
	switch format {
	case Format:
		return xxhash.New()
	case "md5":
		return md5.New()
	case "sha1":
		return sha1.New()
	case "c4":
		return sha512.New()
	}
	return nil
}

// Value returns a sum in the notation of a format.
func Value(format string, sum []byte) string {
	if format == "c4" {
		return C4(sum)
	}
	return hex.EncodeToString(sum)
}

// C4 returns a SHA-512 sum as a C4 ID (SMPTE ST 2114): in base 58, 88 digits behind "c4".
func C4(sum []byte) string {
	const (
		digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
		length = 88
	)
	id := make([]byte, length)
	n, base, digit := new(big.Int).SetBytes(sum), big.NewInt(int64(len(digits))), new(big.Int)
	for i := length - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		id[i] = digits[digit.Int64()]
	}
	return "c4" + string(id)
}

// C4Of returns the C4 ID of contents.
func C4Of(contents []byte) string {
	sum := sha512.Sum512(contents)
	return C4(sum[:])
}

// A Tree computes the hashes of a directory from those of its entries: one of the contents alone, and one of names
// and contents. Both are hashes of sorted hashes.
type Tree struct{ contents, structures []uint64 }

// AddFile adds a file of the directory.
func (t *Tree) AddFile(name string, sum uint64) { t.add(name, sum, sum) }

// AddDir adds a subdirectory.
func (t *Tree) AddDir(name string, sub *Tree) {
	content, structure := sub.sums()
	t.add(name, content, structure)
}

func (t *Tree) add(name string, content, structure uint64) {
	t.contents = append(t.contents, content)
	t.structures = append(t.structures, xxhash.Sum64(binary.BigEndian.AppendUint64([]byte(name), structure)))
}

func (t *Tree) sums() (content, structure uint64) { return sumOf(t.contents), sumOf(t.structures) }

// Hashes returns the hashes of the directory in the notation of histories.
func (t *Tree) Hashes() (content, structure string) {
	c, s := t.sums()
	return FormatSum(c), FormatSum(s)
}

// FormatSum returns an xxh64 hash in the notation of histories.
func FormatSum(sum uint64) string { return fmt.Sprintf("%016x", sum) }

func sumOf(sums []uint64) uint64 {
	slices.Sort(sums)
	var all []byte
	for _, s := range sums {
		all = binary.BigEndian.AppendUint64(all, s)
	}
	return xxhash.Sum64(all)
}
