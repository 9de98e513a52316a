package agent

import (
	"psync/internal/buffer"
	"psync/internal/wire"
)

// A request waits for the handles that it names, and is answered then.
type request struct {
	frame         wire.Frame
	role          wire.Role
	first, second *handle        // by At and Other
	opened        *handle        // by New
	after         uint64         // of Finish: how many requests it waits for
	missing       int            // handles that it waits for
	parked        bool           // it has waited, or does
	refused       error          // the handle that it names is closed
	buffer        *buffer.Buffer // that the answer refers to, or nil
}

// newRequest returns the request of a frame, or nil if it is none.
func newRequest(f wire.Frame) *request {
	r := &request{frame: f, role: wire.RoleOf(f.Message)}
	if r.role < wire.RoleQuery {
		return nil
	}
	if finish, ok := f.Message.(*wire.Finish); ok {
		r.after = finish.Writes
	}
	return r
}

// spoils reports whether the contents of a file are not what they should be if a request fails.
func (r *request) spoils() bool {
	switch m := r.frame.Message.(type) {
	case *wire.Write:
		return true
	case *wire.Resize:
		return m.How == wire.Truncate
	}
	return false
}

// failure returns why a request cannot be answered, because of a handle that it names.
func (r *request) failure() error {
	if r.refused != nil {
		return r.refused
	}
	for _, h := range [2]*handle{r.first, r.second} {
		if h != nil && h.failed != nil {
			return h.failed
		}
	}
	return nil
}
