package engine

// another returns a run like b over the same trees, in another process.
func (b *testbed) another() *testbed {
	o := *b
	o.job.Temporaries.PID++
	o.job.DestIsNew = false
	return &o
}
