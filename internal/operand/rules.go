package operand

import (
	"path"

	"psync/internal/engine/source"
)

// bindRules determines the rules that depend on the locations of the operands: rules with absolute paths, and rules
// from files in directories above.
func (r *Roots) bindRules() error {
	o := r.options
	if !source.NeedsRoot(o.Rules) {
		return nil
	}
	whole := true
	for i, p := range r.placed {
		whole = p.into == "" && len(p.names) == 0 && (p.part == nil || p.part.Names == nil)
		root, err := absolute(o.Hosts.Source, p.dir)
		if err != nil {
			return err
		}
		if p.into != "" {
			root = path.Dir(root) // paths below the destination begin with the name of the source
		}
		if r.Sources[i].Rules, err = source.RulesAt(o.Rules, root, whole, o.Hosts.Source); err != nil {
			return err
		}
	}
	root, err := absolute(o.Hosts.Dest, r.DestPath)
	if err == nil {
		r.DestRules, err = source.RulesAt(o.Rules, root, whole, o.Hosts.Dest)
	}
	return err
}

// absolute returns the absolute path of the entry that is, or would be made, at path.
func absolute(h Host, path string) (string, error) {
	nearest, missing, err := NearestDir(h, path)
	if err != nil {
		return "", err
	}
	root, err := h.Resolve(nearest)
	return join(root, missing), err
}
