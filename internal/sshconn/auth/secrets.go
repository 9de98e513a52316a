package auth

import "sync"

// Secrets are the passphrases and passwords that were accepted.
type Secrets struct {
	mu   sync.Mutex
	said map[string]string // by file, or server and question
}

func (s *Secrets) get(what string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	secret, ok := s.said[what]
	return secret, ok
}

func (s *Secrets) put(what, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said == nil {
		s.said = make(map[string]string)
	}
	s.said[what] = secret
}

func (s *Secrets) forget(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.said, what)
}
