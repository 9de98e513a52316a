package content

// SetRangeSize sets how many bytes are taken of a shared file at once.
func (c *Copier) SetRangeSize(n int64) { c.step = n }
