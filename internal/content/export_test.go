package content

// SetRangeSize sets how many bytes of a shared file c takes at once.
func (c *Copier) SetRangeSize(n int64) { c.step = n }
