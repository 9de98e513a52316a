package blocksum

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"
)

var proceed = func() error { return nil }

func random(n int) []byte {
	data := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(data) // never fails
	return data
}

func must(t *testing.T, sums []byte, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

func TestSumsAreThoseOfTheBlocks(t *testing.T) {
	data, key := random(10_000), random(KeySize)
	for _, tt := range []struct {
		off, n, block int64
		buf           int
		want          [][2]int64
	}{
		{0, 10_000, 4096, 4096, [][2]int64{{0, 4096}, {4096, 8192}, {8192, 10_000}}},
		{0, 10_000, 4096, 9000, [][2]int64{{0, 4096}, {4096, 8192}, {8192, 10_000}}},
		{5, 8192, 4096, 4096, [][2]int64{{5, 4101}, {4101, 8197}}},
		{5, 100, 4096, 8192, [][2]int64{{5, 105}}},
		{9000, 5000, 400, 1000, [][2]int64{{9000, 9400}, {9400, 9800}, {9800, 10_000}}},
		{10_000, 5000, 400, 400, nil},
		{20_000, 1, 400, 400, nil},
		{0, 0, 400, 400, nil},
	} {
		for _, key := range [][]byte{nil, key} {
			sums, err := Of(bytes.NewReader(data), tt.off, tt.n, tt.block, key, make([]byte, tt.buf), proceed)
			sums = must(t, sums, err)
			var want []byte
			for _, r := range tt.want {
				one, err := Of(bytes.NewReader(data[r[0]:r[1]]), 0, r[1]-r[0], r[1]-r[0], key, make([]byte, r[1]-r[0]), proceed)
				want = append(want, must(t, one, err)...)
			}
			if !bytes.Equal(sums, want) || len(sums) != len(tt.want)*Size(key) {
				t.Errorf("%+v, key %v: %d bytes of sums are not the %d wanted", tt, key != nil, len(sums), len(want))
			}
		}
	}
}

// TestSumsAreKnown holds the format: hosts of different versions must agree.
func TestSumsAreKnown(t *testing.T) {
	data := []byte("some block")
	plain, err := Of(bytes.NewReader(data), 0, 10, 10, nil, make([]byte, 3), proceed)
	if want := sha256.Sum256(data); !bytes.Equal(must(t, plain, err), want[:]) {
		t.Errorf("without a key: %x, want %x", plain, want)
	}
	// Test case 1 of the specification of GCM: a key of zeros, and no data.
	s, err := newSums(1, make([]byte, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	var nonce [12]byte
	want := []byte{0x58, 0xe2, 0xfc, 0xce, 0xfa, 0x7e, 0x30, 0x61, 0x36, 0x7f, 0x1d, 0x57, 0xa4, 0xe7, 0x45, 0x5a}
	if got := s.gcm.Seal(nil, nonce[:], nil, nil); !bytes.Equal(got, want) {
		t.Errorf("with a key: %x, want %x", got, want)
	}
}

func TestEachBitCounts(t *testing.T) {
	data := random(1000)
	key := random(KeySize)
	sum := func(key []byte) []byte {
		sums, err := Of(bytes.NewReader(data), 0, 1000, 1000, key, make([]byte, 1000), proceed)
		return must(t, sums, err)
	}
	seen := [][]byte{sum(key), sum(random(2 * KeySize)[KeySize:])}
	for i := range data {
		data[i] ^= 1 << (i % 8)
		seen = append(seen, sum(key))
		data[i] ^= 1 << (i % 8)
	}
	slices.SortFunc(seen, bytes.Compare)
	if n := len(slices.CompactFunc(slices.Clone(seen), bytes.Equal)); n != len(seen) {
		t.Errorf("%d of %d sums are different", n, len(seen))
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	bad := struct{ io.ReaderAt }{readerAt{iotest.ErrReader(broken)}}
	if _, err := Of(bad, 0, 10, 10, nil, make([]byte, 10), proceed); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	if _, err := Of(bytes.NewReader(nil), 0, 10, 10, []byte("short"), make([]byte, 10), proceed); err == nil {
		t.Error("a key of another length is taken")
	}
	stop := func() error { return broken }
	if _, err := Of(bytes.NewReader(nil), 0, 10, 10, nil, make([]byte, 10), stop); !errors.Is(err, broken) {
		t.Errorf("proceed: %v", err)
	}
}

type readerAt struct{ io.Reader }

func (r readerAt) ReadAt(p []byte, _ int64) (int, error) { return r.Read(p) }
