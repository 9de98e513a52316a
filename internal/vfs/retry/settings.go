package retry

import (
	"io/fs"

	"psync/internal/vfs"
)

// Prepare implements [vfs.Host], also for later sessions.
func (h *remoteHost) Prepare(p vfs.Preparation) error {
	h.conn.mu.Lock()
	h.conn.prepared = &p
	h.conn.mu.Unlock()
	return h.do(func(s Session) error { return s.Prepare(p) })
}

// ClearUmask implements [vfs.Host], also for later sessions.
func (h *remoteHost) ClearUmask() fs.FileMode {
	h.conn.mu.Lock()
	h.conn.clearsUmask = true
	h.conn.mu.Unlock()
	return h.conn.current().ClearUmask()
}

// applySettings makes the settings of a session that those before have.
func (c *connection) applySettings(s Session) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.clearsUmask {
		s.ClearUmask()
	}
	if c.prepared == nil {
		return nil
	}
	return s.Prepare(*c.prepared)
}
