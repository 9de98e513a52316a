package recording

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"time"
)

// rest is how long the last frame is shown before the animation repeats.
const rest = 4 * time.Second

// SVG returns an animated image that repeats the frames. It is dark, like a terminal, on light and dark pages.
func SVG(frames []Frame, title string) []byte {
	const char, line, border = 8.4, 20, 16
	const width, height = Columns*char + 2*border, rows*line + 2*border
	length := (frames[len(frames)-1].At + rest).Seconds()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img">`+"\n<title>", float64(width), float64(height))
	escape(&b, title)
	b.WriteString("</title>\n<style>text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d7dae0;white-space:pre}" +
		"g{visibility:hidden}</style>\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#1e2127"/>`+"\n")
	for i, f := range frames {
		end := length
		if i+1 < len(frames) {
			end = frames[i+1].At.Seconds()
		}
		if i+1 < len(frames) {
			b.WriteString("<g>")
		} else {
			b.WriteString(`<g style="visibility:visible">`) // for viewers without animations
		}
		begin := f.At.Seconds() / length
		fmt.Fprintf(&b, `<animate attributeName="visibility" dur="%.2fs" repeatCount="indefinite" calcMode="discrete" `, length)
		fmt.Fprintf(&b, `values="hidden;visible;hidden" keyTimes="0;%.4f;%.4f"/>`, begin, min(1, end/length))
		for row, text := range f.Lines {
			if text == "" {
				continue
			}
			fmt.Fprintf(&b, `<text x="%d" y="%d" textLength="%.0f">`, border, border+14+row*line, float64(len(text))*char)
			escape(&b, text)
			b.WriteString("</text>")
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func escape(b *bytes.Buffer, text string) {
	_ = xml.EscapeText(b, []byte(text)) // a Buffer has no errors
}
