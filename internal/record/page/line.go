package page

import (
	"encoding/base64"
	"fmt"
	"time"

	"psync/internal/record"
)

// A Line is a line of a log.
type Line struct {
	Event      string
	Schema     int
	T          float64
	Time       time.Time
	Path       string
	PathBase64 string `json:"path_base64"`
	Type       string
	Size       int64
	Op         string
	Error      string // of a summary: why the run ended early
	Message    string
	Remedy     string
	Attribute  string
	Asked      bool

	Psync, Host, Verb           string
	Args                        []string
	DryRun                      bool `json:"dry_run"`
	Sources                     []record.Operand
	Dest                        *record.Operand
	Exit                        int
	Interrupted                 bool
	Found, Copied, Unchanged    int64
	Skipped, Failed, Unfinished int64
	Failures, Vanished          int64
	Deleted, Verified           int64
	DirsFound                   int64            `json:"dirs_found"`
	BytesCopied                 int64            `json:"bytes_copied"`
	BytesFound                  int64            `json:"bytes_found"`
	NotAsked                    map[string]int64 `json:"not_asked"`
	Audit                       *audit
}

// An audit is what a journal proves of a run that came to its end. It counts directories.
type audit struct {
	Complete                     bool
	Found, Done, Failed, Missing int64
}

// name returns the path for people: what is not UTF-8 is escaped.
func (l *Line) name() string {
	if b, err := base64.StdEncoding.DecodeString(l.PathBase64); err == nil && len(b) > 0 {
		quoted := fmt.Sprintf("%q", b)
		return quoted[1 : len(quoted)-1]
	}
	return l.Path
}

// copiesFile reports whether the line says that the contents of a file were copied.
func (l *Line) copiesFile() bool {
	return (l.Event == "copy" || l.Event == "replace") && l.Type == "file"
}

// reason returns what failed: the call of the system and its error, if the line has them.
func (l *Line) reason() string {
	switch {
	case l.Error == "":
		return l.Message
	case l.Op == "":
		return l.Error
	}
	return l.Op + ": " + l.Error
}
