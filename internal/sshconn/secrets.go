package sshconn

import "sync"

// secrets are the passphrases and passwords that were accepted.
type secrets struct {
	mu   sync.Mutex
	said map[string]string // by file, or server and question
}

func (s *secrets) get(what string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	secret, ok := s.said[what]
	return secret, ok
}

func (s *secrets) put(what, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said == nil {
		s.said = make(map[string]string)
	}
	s.said[what] = secret
}

func (s *secrets) forget(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.said, what)
}
