package page

import (
	"encoding/base64"
	"encoding/json"
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

	Psync, Host, Verb           string
	Args                        []string
	DryRun                      bool `json:"dry_run"`
	Sources                     []record.Operand
	Dest                        *record.Operand
	Exit                        int
	Interrupted                 bool
	Found, Copied, Unchanged    int64
	Skipped, Failed, Unfinished int64
	Deleted, Verified           int64
	BytesCopied                 int64            `json:"bytes_copied"`
	NotAsked                    map[string]int64 `json:"not_asked"`
	Audit                       json.RawMessage
}

// name returns the path for people: what is not UTF-8 is escaped.
func (l *Line) name() string {
	if b, err := base64.StdEncoding.DecodeString(l.PathBase64); err == nil && len(b) > 0 {
		quoted := fmt.Sprintf("%q", b)
		return quoted[1 : len(quoted)-1]
	}
	return l.Path
}
