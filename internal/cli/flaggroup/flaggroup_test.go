package flaggroup

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestText(t *testing.T) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.SortFlags = false
	fs.BoolP("zeros", "z", true, "turn them into holes")
	fs.Int("a-flag-with-a-long-name", 0, "at most `N` of them, which is said by a text that is too long for one line")
	fs.Bool("secret", false, "")
	fs.Lookup("secret").Hidden = true
	fs.Lookup("a-flag-with-a-long-name").Annotations = Annotation("How fast")

	var b strings.Builder
	for _, g := range Of(fs, []string{"What is kept", "How fast"}) {
		b.WriteString(g.Heading + ":\n" + g.Text())
	}
	const want = `How fast:
      --a-flag-with-a-long-name N
                           at most N of them, which is said by a text that is
                           too long for one line
:
  -z, --zeros              turn them into holes
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
