package flags

import "psync/internal/ui"

// An outFormat is a format of the lines that list what is done.
type outFormat struct{ format **ui.OutFormat }

func (f *outFormat) Type() string   { return "FORMAT" }
func (f *outFormat) String() string { return "" }

func (f *outFormat) Set(text string) (err error) {
	*f.format, err = ui.ParseOutFormat(text)
	return err
}
