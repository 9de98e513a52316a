// Package mhl writes and reads the files of ASC MHL 2.0 histories: lists of the files below a directory with their
// hashes, one list per generation, and the chain file, which has a checksum of each list.
package mhl

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// Names of a history.
const (
	Dir       = "ascmhl" // in the directory that the history is about
	ChainFile = "ascmhl_chain.xml"
	Extension = ".mhl"
)

// Ignored reports whether histories ignore entries of this name.
func Ignored(name string) bool { return name == Dir || name == ".DS_Store" }

// ignoredPatterns are the patterns in a list for the names that Ignored is true for.
var ignoredPatterns = []string{".DS_Store", Dir, Dir + "/"}

// An Action is the result of comparing a hash with earlier generations.
type Action string

// The actions. A hash in a format that earlier generations do not have verifies nothing by itself: the file is also
// hashed in a format that they have.
const (
	Original Action = "original" // no earlier generation has the file
	Verified Action = "verified"
	Failed   Action = "failed"
)

// A Hash is the hash of a file.
type Hash struct {
	Format string // the name of the element
	Value  string
	Action Action
}

// A File is a file of a generation.
type File struct {
	Path   string
	Size   int64
	Mtime  time.Time
	Hashed time.Time
	Hashes []Hash
}

// A Directory is a directory of a generation, with its xxh64 hashes.
type Directory struct {
	Path               string
	Mtime              time.Time
	Hashed             time.Time
	Content, Structure string
}

// A Creator says who makes a generation.
type Creator struct {
	Host, Tool, Version string
	Created             time.Time
}

// A Writer writes a generation to a buffer.
type Writer struct {
	hashes, references bytes.Buffer
	err                error
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05+00:00") }

// text returns s as XML, or records an error if XML cannot represent it.
func (w *Writer) text(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder returns no errors
	const replacement = "\ufffd"      // stands for what XML cannot represent
	if strings.Count(b.String(), replacement) > strings.Count(s, replacement) && w.err == nil {
		w.err = fmt.Errorf("%q: XML has no words for this name, so no history can hold it", s)
	}
	return b.String()
}

// File adds a file.
func (w *Writer) File(f File) {
	fmt.Fprintf(&w.hashes, "    <hash>\n      <path size=\"%d\" lastmodificationdate=\"%s\">%s</path>\n", f.Size, stamp(f.Mtime), w.text(f.Path))
	for _, h := range f.Hashes {
		fmt.Fprintf(&w.hashes, "      <%s action=\"%s\" hashdate=\"%s\">%s</%[1]s>\n", h.Format, h.Action, stamp(f.Hashed), h.Value)
	}
	w.hashes.WriteString("    </hash>\n")
}

// Directory adds a directory.
func (w *Writer) Directory(d Directory) {
	fmt.Fprintf(&w.hashes, "    <directoryhash>\n      <path lastmodificationdate=\"%s\">%s</path>\n", stamp(d.Mtime), w.text(d.Path))
	writeHashes(&w.hashes, "      ", d)
	w.hashes.WriteString("    </directoryhash>\n")
}

// Refer adds a reference to a generation of a history below this one: the path of its file, and the C4 ID of its contents.
func (w *Writer) Refer(path, c4 string) {
	fmt.Fprintf(&w.references, "    <hashlistreference>\n      <path>%s</path>\n      <c4>%s</c4>\n    </hashlistreference>\n", w.text(path), c4)
}

func writeHashes(b *bytes.Buffer, indent string, d Directory) {
	for _, part := range [...]struct{ name, value string }{{"content", d.Content}, {"structure", d.Structure}} {
		fmt.Fprintf(b, "%s<%s>\n%[1]s  <xxh64 hashdate=\"%[3]s\">%[4]s</xxh64>\n%[1]s</%[2]s>\n", indent, part.name, stamp(d.Hashed), part.value)
	}
}

// Finish returns the list, which ends with its root. It returns an error if a name cannot be written.
func (w *Writer) Finish(c Creator, root Directory) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<hashlist version=\"2.0\" xmlns=\"urn:ASC:MHL:v2.0\">\n")
	fmt.Fprintf(&b, "  <creatorinfo>\n    <creationdate>%s</creationdate>\n    <hostname>%s</hostname>\n    <tool version=\"%s\">%s</tool>\n  </creatorinfo>\n",
		stamp(c.Created), w.text(c.Host), w.text(c.Version), w.text(c.Tool))
	b.WriteString("  <processinfo>\n    <process>transfer</process>\n    <roothash>\n")
	writeHashes(&b, "      ", root)
	b.WriteString("    </roothash>\n    <ignore>\n")
	for _, p := range ignoredPatterns {
		fmt.Fprintf(&b, "      <pattern>%s</pattern>\n", p)
	}
	b.WriteString("    </ignore>\n  </processinfo>\n  <hashes>\n")
	b.Write(w.hashes.Bytes())
	b.WriteString("  </hashes>\n")
	if w.references.Len() > 0 {
		fmt.Fprintf(&b, "  <references>\n%s  </references>\n", w.references.Bytes())
	}
	b.WriteString("</hashlist>\n")
	return b.Bytes(), w.err
}

// A List is the contents of an earlier generation.
type List struct {
	Files    map[string][]Hash // by path
	Patterns []string          // the ignored patterns, except those that are always ignored
}

// Read reads a generation.
func Read(r io.Reader) (List, error) {
	var file struct {
		XMLName  xml.Name `xml:"hashlist"`
		Patterns []string `xml:"processinfo>ignore>pattern"`
		Hashes   []struct {
			Path string `xml:"path"`
			Rest []struct {
				XMLName xml.Name
				Action  Action `xml:"action,attr"`
				Value   string `xml:",chardata"`
			} `xml:",any"`
		} `xml:"hashes>hash"`
	}
	if err := xml.NewDecoder(r).Decode(&file); err != nil {
		return List{}, err
	}
	l := List{Files: make(map[string][]Hash, len(file.Hashes))}
	for _, f := range file.Hashes {
		for _, h := range f.Rest {
			if isFormat(h.XMLName.Local) {
				l.Files[f.Path] = append(l.Files[f.Path], Hash{h.XMLName.Local, strings.TrimSpace(h.Value), h.Action})
			}
		}
	}
	for _, p := range file.Patterns {
		if p != ignoredPatterns[0] && p != ignoredPatterns[1] && p != ignoredPatterns[2] {
			l.Patterns = append(l.Patterns, p)
		}
	}
	return l, nil
}

// A Link is the entry of a generation in the chain file.
type Link struct {
	Number int    `xml:"sequencenr,attr"`
	Name   string `xml:"path"` // of the file of the generation
	C4     string `xml:"c4"`   // of its contents
}

// ReadChain reads a chain file.
func ReadChain(r io.Reader) ([]Link, error) {
	var file struct {
		XMLName xml.Name `xml:"ascmhldirectory"`
		Links   []Link   `xml:"hashlist"`
	}
	err := xml.NewDecoder(r).Decode(&file)
	return file.Links, err
}

// Chain returns the contents of a chain file.
func Chain(links []Link) ([]byte, error) {
	var b bytes.Buffer
	var w Writer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ascmhldirectory xmlns=\"urn:ASC:MHL:DIRECTORY:v2.0\">\n")
	for _, l := range links {
		fmt.Fprintf(&b, "  <hashlist sequencenr=\"%d\">\n    <path>%s</path>\n    <c4>%s</c4>\n  </hashlist>\n", l.Number, w.text(l.Name), w.text(l.C4))
	}
	b.WriteString("</ascmhldirectory>\n")
	return b.Bytes(), w.err
}
