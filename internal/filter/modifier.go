package filter

import "fmt"

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
		case m == 'x':
			r.xattr = true
		case m == 's' && !fixed:
			r.side |= sending
		case m == 'r' && !fixed:
			r.side |= receiving
		case m == 'C' && !fixed && !cvs:
			cvs = true
		case m == 's' || m == 'r' || m == 'C' && fixed:
			return false, fmt.Errorf("modifier %q contradicts a rule that names its side; use + or - with it", m)
		default:
			return false, invalidModifier(m)
		}
	}
	return cvs, nil
}

func invalidModifier(modifier byte) error {
	return fmt.Errorf("modifier %q is not valid for this rule; put a space or _ before the pattern", modifier)
}
