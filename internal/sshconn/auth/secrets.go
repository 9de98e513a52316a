package auth

import "sync"

// Secrets are the passphrases and passwords that were accepted.
type Secrets struct {
	mu    sync.Mutex
	known map[string]string // by file, or by server and question
}

func (s *Secrets) get(what string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	secret, ok := s.known[what]
	return secret, ok
}

func (s *Secrets) put(what, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = make(map[string]string)
	}
	s.known[what] = secret
}

func (s *Secrets) forget(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, what)
}
