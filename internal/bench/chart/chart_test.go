package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestImageHasAllTexts(t *testing.T) {
	bars := Panel{Title: "a <b> & c", XTitle: "time (s)", Bars: []Bar{
		{Name: "psync: 0.500 s", Median: 0.5, Min: 0.4, Max: 0.6},
		{Name: "a<b", Median: 1, Min: 0.9, Max: 1.2},
	}}
	lines := Panel{Title: "lines", XTitle: "workers", YTitle: "seconds", Lines: []Line{
		{Name: "psync", Points: []Point{{X: 1, Y: 8}, {X: 2, Y: 4}, {X: 128, Y: 0.5}}},
		{Name: "rsync -a", Points: []Point{{X: 1, Y: 9}, {X: 128, Y: 9}}, Flat: true},
	}}
	single := Panel{Title: "single", Lines: []Line{{Name: "one", Points: []Point{{X: 1, Y: 3}}}}}
	image, err := SVG([]Panel{bars, lines, single, {Title: "nothing"}})
	if err != nil {
		t.Fatal(err)
	}
	texts := imageTexts(t, string(image))
	for _, want := range []string{
		"a <b> & c", "time (s)", "psync: 0.500 s", "a<b", "lines", "workers", "seconds", "128", "10", "0.5",
		"psync", "rsync -a", "single", "5", "nothing",
	} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q is missing among %q", want, texts)
		}
	}
	if strings.Contains(string(image), "NaN") {
		t.Error("something is drawn nowhere")
	}
}

// imageTexts returns the texts of an image, which has to be well-formed.
func imageTexts(t *testing.T, image string) []string {
	t.Helper()
	var texts []string
	decoder, inText := xml.NewDecoder(strings.NewReader(image)), false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, image)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				texts = append(texts, string(token))
			}
		}
	}
}
