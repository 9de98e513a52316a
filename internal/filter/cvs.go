package filter

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"
)

// cvsFile is the name of files with patterns of CVS.
const cvsFile = ".cvsignore"

// cvsPatterns are the patterns that CVS and rsync ignore by default.
const cvsPatterns = `RCS SCCS CVS CVS.adm RCSLOG cvslog.* tags TAGS .make.state .nse_depinfo
*~ #* .#* ,* _$* *$ *.old *.bak *.BAK *.orig *.rej .del-* *.a *.olb *.o *.obj *.so *.exe *.Z *.elc *.ln core
.svn/ .git/ .hg/ .bzr/`

// addCVS adds the patterns that CVS ignores everywhere: its own, those of the user's file, and those of the
// environment.
func (b *Builder) addCVS(in context) error {
	user := cmp.Or(b.user, b)
	c := Builder{Open: user.Open, From0: user.From0}
	own := in
	own.perishable = true
	if err := c.addWords(cvsPatterns, own); err != nil {
		return err
	}
	if user.Getenv != nil {
		if home := user.Getenv("HOME"); home != "" && user.Open != nil {
			if err := c.merge(strings.TrimSuffix(home, "/")+"/"+cvsFile, in); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err := c.addWords(user.Getenv("CVSIGNORE"), in); err != nil {
			return err
		}
	}
	b.rules = append(b.rules, c.rules...)
	return nil
}

func (b *Builder) addWords(text string, in context) error {
	for word := range strings.FieldsSeq(text) {
		if err := b.add(word, in); err != nil {
			return err
		}
	}
	return nil
}
