package filter

import (
	"errors"
	"fmt"
)

// modify applies the modifiers of a rule that has a pattern, or, if cvs is true, stands for the patterns of CVS.
func (r *rule) modify(mods string) (cvs bool, err error) {
	fixed := r.side != 0 // by the letter of the rule
	for _, m := range []byte(mods) {
		switch {
		case m == '!':
			r.negate = true
		case m == '/':
			r.absolute = true
		case m == 'p':
			r.perishable = true
		case m == 's' && !fixed:
			r.side |= sending
		case m == 'r' && !fixed:
			r.side |= receiving
		case m == 'C' && !fixed && !cvs:
			cvs = true
		case m == 's' || m == 'r' || m == 'C' && fixed:
			return false, fmt.Errorf("modifier %q contradicts a rule that names its side; use + or - with it", m)
		default:
			return false, refuse(m)
		}
	}
	return cvs, nil
}

// refuse returns the error for an unsupported modifier.
func refuse(modifier byte) error {
	if modifier == 'x' {
		return errors.New(`rules for extended attributes (modifier "x") are not supported; leave the rule out`)
	}
	return fmt.Errorf("modifier %q is not valid for this rule; put a space or _ before the pattern", modifier)
}
