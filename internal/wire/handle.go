package wire

// A Handle stands for an open directory or file of the server. The client chooses it, and may use it in requests
// before it knows whether opening has succeeded: these wait, and fail with the error of opening. 0 is none.
type Handle uint64

// Handles are those that a message names; 0 is none.
type Handles struct {
	At    Handle // the directory or file that a request is about
	Other Handle // another one that it takes something from
	New   Handle // of what it opens
}

func (c *coder) handle(p *Handle) {
	c.uint64((*uint64)(p))
	c.handles.At = *p
}

// other codes the handle of what something is taken from.
func (c *coder) other(p *Handle) {
	c.uint64((*uint64)(p))
	c.handles.Other = *p
}

// opens codes the handle of what a request opens.
func (c *coder) opens(p *Handle) {
	c.uint64((*uint64)(p))
	c.handles.New = *p
}

// A Target is an entry: that called Name in the directory Dir, the directory itself if Name is ".", or an open
// file if Name is "" and Dir is the handle of the file.
type Target struct {
	Dir  Handle
	Name string
}

// entry codes a target that is an entry of a directory.
func (c *coder) entry(t *Target) {
	c.handle(&t.Dir)
	c.name(&t.Name)
}

// oldEntry codes the entry of a directory that something is taken from.
func (c *coder) oldEntry(t *Target) {
	c.other(&t.Dir)
	c.name(&t.Name)
}

// target codes a target that may also be the directory itself, or a file.
func (c *coder) target(t *Target) {
	c.handle(&t.Dir)
	c.string(&t.Name, maxName)
	if c.err == nil && t.Name != "" && t.Name != "." {
		if err := CheckName(t.Name); err != nil {
			c.fail(err)
		}
	}
}
