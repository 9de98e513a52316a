package manpage

import "testing"

func TestUsage(t *testing.T) {
	const text = `Usage: cp [OPTION]... SOURCE DEST
  or:  cp -t DIRECTORY SOURCE...
Copy files
or directories.

  -a, --archive              as -dR
      --backup[=CONTROL], -b rename files first: none,
                             simple
      --a-long-option-of-cp  of which the name
      --help, --version      show this help, or the version

Of psync:
  -j, --threads N            workers
  -u  the newer  -r  all
  --exclude, --include

See cp(1).
`
	const want = `cp [OPTION]... SOURCE DEST
.br
cp \-t DIRECTORY SOURCE...
.SH "DESCRIPTION"
Copy files
or directories.
.SH "OPTIONS"
.TP
\fB\-a\fR, \fB\-\-archive\fR
as \-dR
.TP
\fB\-\-backup\fR[=CONTROL], \fB\-b\fR
rename files first: none, simple
.TP
\fB\-\-a\-long\-option\-of\-cp\fR
of which the name
.TP
\fB\-\-help\fR, \fB\-\-version\fR
show this help, or the version
.SS "Of psync"
.TP
\fB\-j\fR, \fB\-\-threads\fR N
workers
.EX
  \-u  the newer  \-r  all
.EE
.EX
  \-\-exclude, \-\-include
.EE
.PP
See cp(1).
`
	r := new(roff)
	r.usage(text)
	if got := r.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
