package journal

// A cuts says where records are cut, so that no part has too many bytes.
type cuts []int

// add notes that the last record begins at begin and ends at end. A part has size bytes at most, unless it is one record.
func (c cuts) add(begin, end, size int) cuts {
	last := 0
	if n := len(c); n > 0 {
		last = c[n-1]
	}
	if size > 0 && begin > last && end-last > size {
		c = append(c, begin)
	}
	return c
}

// each calls f for each part of records.
func (c cuts) each(records []byte, f func(part []byte) error) error {
	begin := 0
	for _, end := range append(c, len(records)) {
		if err := f(records[begin:end]); err != nil {
			return err
		}
		begin = end
	}
	return nil
}

// parts returns records that mean the same as one of d whose names take more than so many bytes. The directory is done only
// when all of them are written: each but the last says that something waits, which the completions end.
func parts(d *Directory, size int) (parts []*Directory, completions int) {
	rest := d.Children
	for {
		n, bytes := 0, 0
		for n < len(rest) && (n == 0 || bytes+len(rest[n])+8 <= size) {
			bytes += len(rest[n]) + 8
			n++
		}
		part := &Directory{ID: d.ID, Children: rest[:n], Waits: n < len(rest)}
		if len(parts) == 0 {
			whole := *d
			whole.Children, whole.Waits = part.Children, part.Waits
			part = &whole
		}
		parts = append(parts, part)
		if rest = rest[n:]; len(rest) == 0 {
			part.Waits = d.Waits
			return parts, len(parts) - 1
		}
	}
}
