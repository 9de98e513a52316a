package mhl_test

import (
	"encoding/xml"
	"reflect"
	"strings"
	"testing"
	"time"

	"psync/internal/mhl"
)

// sample is a list that was written by hand after those that ascmhl 1.2, the reference implementation, makes. The hashes are those of the
// files A/1.mov with "one\n" and zero with nothing.
const sample = `<?xml version="1.0" encoding="UTF-8"?>
<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0">
  <creatorinfo>
    <creationdate>2020-01-16T09:15:00+00:00</creationdate>
    <hostname>cart</hostname>
    <tool version="1 &lt; 2">psync</tool>
  </creatorinfo>
  <processinfo>
    <process>transfer</process>
    <roothash>
      <content>
        <xxh64 hashdate="2020-01-16T09:15:00+00:00">CONTENT</xxh64>
      </content>
      <structure>
        <xxh64 hashdate="2020-01-16T09:15:00+00:00">STRUCTURE</xxh64>
      </structure>
    </roothash>
    <ignore>
      <pattern>.DS_Store</pattern>
      <pattern>ascmhl</pattern>
      <pattern>ascmhl/</pattern>
    </ignore>
  </processinfo>
  <hashes>
    <hash>
      <path size="4" lastmodificationdate="2020-01-15T13:00:00+00:00">A/1.mov</path>
      <xxh64 action="verified" hashdate="2020-01-16T09:14:00+00:00">22c8b2fe096816df</xxh64>
    </hash>
    <directoryhash>
      <path lastmodificationdate="2020-01-15T13:00:00+00:00">A</path>
      <content>
        <xxh64 hashdate="2020-01-16T09:15:00+00:00">c</xxh64>
      </content>
      <structure>
        <xxh64 hashdate="2020-01-16T09:15:00+00:00">s</xxh64>
      </structure>
    </directoryhash>
    <hash>
      <path size="0" lastmodificationdate="2020-01-15T13:00:00+00:00">&lt;zero&gt; &amp; ü</path>
      <md5 action="verified" hashdate="2020-01-16T09:14:00+00:00">d41d8cd98f00b204e9800998ecf8427e</md5>
      <xxh64 action="verified" hashdate="2020-01-16T09:14:00+00:00">ef46db3751d8e999</xxh64>
    </hash>
  </hashes>
</hashlist>
`

func at(hour, minute int) time.Time { return time.Date(2020, 1, 16, hour, minute, 0, 5, time.UTC) }

func TestListHasTheFormOfTheReference(t *testing.T) {
	var w mhl.Writer
	made, hashed := at(9, 15), at(9, 14)
	mtime := time.Date(2020, 1, 15, 14, 0, 0, 0, time.FixedZone("CET", 3600))
	w.File(mhl.File{Path: "A/1.mov", Size: 4, Mtime: mtime, Hashed: hashed, Hashes: []mhl.Hash{{"xxh64", "22c8b2fe096816df", mhl.Verified}}})
	w.Directory(mhl.Directory{Path: "A", Mtime: mtime, Hashed: made, Content: "c", Structure: "s"})
	w.File(mhl.File{Path: "<zero> & ü", Mtime: mtime, Hashed: hashed, Hashes: []mhl.Hash{
		{"md5", "d41d8cd98f00b204e9800998ecf8427e", mhl.Verified}, {"xxh64", "ef46db3751d8e999", mhl.Verified},
	}})
	got, err := w.Finish(mhl.Creator{Host: "cart", Tool: "psync", Version: "1 < 2", Created: made}, mhl.Directory{Hashed: made, Content: "CONTENT", Structure: "STRUCTURE"})
	if err != nil || string(got) != sample {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, sample)
	}
}

func TestListIsRead(t *testing.T) {
	got, err := mhl.Read(strings.NewReader(strings.Replace(sample, "<pattern>ascmhl</pattern>", "<pattern>ascmhl</pattern><pattern>*.tmp</pattern>", 1)))
	want := mhl.List{Patterns: []string{"*.tmp"}, Files: map[string][]mhl.Hash{
		"A/1.mov":    {{"xxh64", "22c8b2fe096816df", mhl.Verified}},
		"<zero> & ü": {{"md5", "d41d8cd98f00b204e9800998ecf8427e", mhl.Verified}, {"xxh64", "ef46db3751d8e999", mhl.Verified}},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "<hashlist>", "<other/>"} {
		if _, err := mhl.Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// TestNamesThatXMLLacks has names that no list can hold: they are errors, and never written as others.
func TestNamesThatXMLLacks(t *testing.T) {
	for name, ok := range map[string]bool{"a\x01": false, "a\xff": false, "\ufffe": false, "\ufffd": true, "tab\t": true, "\r": true, "😀": true, "]]>": true} {
		var w mhl.Writer
		w.File(mhl.File{Path: name})
		list, err := w.Finish(mhl.Creator{}, mhl.Directory{})
		if (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
		if !ok {
			continue
		}
		var file struct {
			Path string `xml:"hashes>hash>path"`
		}
		if err := xml.Unmarshal(list, &file); err != nil || file.Path != name {
			t.Errorf("%q was read as %q; %v", name, file.Path, err)
		}
	}
}

func TestChain(t *testing.T) {
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">
  <hashlist sequencenr="1">
    <path>0001_A&amp;B_2020-01-16_091500Z.mhl</path>
    <c4>c41</c4>
  </hashlist>
  <hashlist sequencenr="2">
    <path>0002_x.mhl</path>
    <c4>c42</c4>
  </hashlist>
</ascmhldirectory>
`
	links := []mhl.Link{{1, "0001_A&B_2020-01-16_091500Z.mhl", "c41"}, {2, "0002_x.mhl", "c42"}}
	got, err := mhl.Chain(links)
	if err != nil || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
	if back, err := mhl.ReadChain(strings.NewReader(want)); err != nil || !reflect.DeepEqual(back, links) {
		t.Errorf("read %+v; %v", back, err)
	}
}

// TestC4 has the example of nothing from the C4 ID standard, and a sum that is written with leading zeros.
func TestC4(t *testing.T) {
	const nothing = "c459dsjfscH38cYeXXYogktxf4Cd9ibshE3BHUo6a58hBXmRQdZrAkZzsWcbWtDg5oQstpDuni4Hirj75GEmTc1sFT"
	if got := mhl.C4Of(nil); got != nothing {
		t.Errorf("nothing is %s, want %s", got, nothing)
	}
	if got, want := mhl.C4(make([]byte, 64)), "c4"+strings.Repeat("1", 88); got != want {
		t.Errorf("zeros are %s, want %s", got, want)
	}
	if got, want := mhl.C4(append(make([]byte, 63), 59)), "c4"+strings.Repeat("1", 86)+"22"; got != want {
		t.Errorf("59 is %s, want %s", got, want)
	}
}

// TestTree has hashes that the reference implementation, ascmhl 1.2, made of a tree of A/1.mov with "one\n",
// A/B/2.mov with "two\n", the empty directory "empty", and the empty files lnk and zero.
func TestTree(t *testing.T) {
	const one, two, nothing = 0x22c8b2fe096816df, 0x6e15961ef9042d0f, 0xef46db3751d8e999
	var root, a, b, empty mhl.Tree
	b.AddFile("2.mov", two)
	a.AddDir("B", &b)
	a.AddFile("1.mov", one)
	root.AddFile("zero", nothing)
	root.AddDir("A", &a)
	root.AddFile("lnk", nothing)
	root.AddDir("empty", &empty)
	for _, tt := range []struct {
		tree               *mhl.Tree
		content, structure string
	}{
		{&b, "847a224b34c13fea", "99aab9ea2da9e6ab"},
		{&a, "93d5c9cfeb50d7e8", "9564ef42cb46d01f"},
		{&empty, "ef46db3751d8e999", "ef46db3751d8e999"},
		{&root, "fb1e6fa5ced524e4", "b66f02fb47ed852f"},
	} {
		if c, s := tt.tree.Hashes(); c != tt.content || s != tt.structure {
			t.Errorf("got %s and %s, want %s and %s", c, s, tt.content, tt.structure)
		}
	}
}

func TestHashesAreKnown(t *testing.T) {
	for format, want := range map[string]string{
		"xxh64": "22c8b2fe096816df", "md5": "5bbf5a52328e7439ae6e719dfe712200", "sha1": "c7059bb19433cc3cabaa6236c83d56668a843dd2",
	} {
		h := mhl.NewHash(format)
		_, _ = h.Write([]byte("one\n"))
		if got := mhl.Value(format, h.Sum(nil)); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
	if mhl.NewHash("xxh128") != nil {
		t.Error("xxh128 can be made")
	}
}
