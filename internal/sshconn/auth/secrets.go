package auth

import "sync"

// Secrets are the passphrases and passwords that were accepted.
type Secrets struct{ known sync.Map } // strings, by file, or by server and question

func (s *Secrets) get(what string) (string, bool) {
	secret, ok := s.known.Load(what)
	if !ok {
		return "", false
	}
	return secret.(string), true
}
