package bench

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"
)

// Lengths of a plot in pixels. The letters of a label are taken to be as wide as
// those of common fonts without serifs.
const (
	panelWidth  = 460.0
	panelGap    = 28.0
	plotHeight  = 220.0 // of lines
	barHeight   = 14.0
	barPitch    = 22.0
	fontSize    = 12.0
	letterWidth = 6.4
	margin      = 12.0
)

// Colours are of middle brightness, so that they are read on white and on black:
// an image does not know the theme of the page that it is on.
const textColour = "#76808c"

var palette = []string{
	"#2f81f7", "#d9822b", "#3a9d5d", "#cf4f66", "#9268c9", "#1f9aa8",
	"#a88420", "#c05fae", "#6f8f3a", "#b36b4f", "#6b7fd7", "#8a93a0",
}

// A canvas collects the elements of an SVG image.
type canvas struct {
	b       bytes.Buffer
	colours map[string]string // of tools, in all panels
}

// plot renders panels as an SVG image, two in a row.
func plot(panels []panel) []byte {
	c := canvas{colours: make(map[string]string)}
	perRow := min(2, len(panels))
	y := margin
	for row := range slices.Chunk(panels, 2) {
		height := 0.0
		for i, p := range row {
			height = max(height, c.panel(p, margin+float64(i)*(panelWidth+panelGap), y))
		}
		y += height + panelGap
	}
	width := 2*margin + float64(perRow)*(panelWidth+panelGap) - panelGap
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %[1]g %[2]g" `+
		`font-family="-apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif" font-size="%g" fill="%s">`+"\n",
		width, y-panelGap+margin, fontSize, textColour)
	return slices.Concat([]byte(head), c.b.Bytes(), []byte("</svg>\n"))
}

// panel draws p with its top left corner at x, y, and returns its height.
func (c *canvas) panel(p panel, x, y float64) float64 {
	fmt.Fprintf(&c.b, `<text x="%.1f" y="%.1f" font-weight="600" font-size="14">%s</text>`+"\n", x, y+14, html.EscapeString(p.title))
	const titleHeight = 30
	switch {
	case len(p.bars) > 0:
		return titleHeight + c.drawBars(p, x, y+titleHeight)
	case len(p.lines) > 0:
		return titleHeight + c.drawLines(p, x, y+titleHeight)
	default:
		c.text(x, y+titleHeight+fontSize, "start", "every tool failed")
		return titleHeight + 2*fontSize
	}
}

// drawBars draws a bar a line, between the name of the tool and its figures.
func (c *canvas) drawBars(p panel, x, y float64) float64 {
	var names, notes, most float64
	for _, b := range p.bars {
		names, notes, most = max(names, textWidth(b.tool)), max(notes, textWidth(b.note)), max(most, b.time.max)
	}
	left, right := x+names+8, x+panelWidth-notes-8
	a := linearAxis(most, left, right)
	bottom := y + float64(len(p.bars))*barPitch
	c.grid(a, y, bottom)
	for i, b := range p.bars {
		top := y + float64(i)*barPitch + (barPitch-barHeight)/2
		middle := top + barHeight/2
		fmt.Fprintf(&c.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2" fill="%s" fill-opacity="0.75"/>`+"\n",
			left, top, max(1, a.at(b.time.median)-left), barHeight, c.colour(b.tool))
		c.whisker(a.at(b.time.min), a.at(b.time.max), middle)
		c.text(left-8, middle+4, "end", b.tool)
		c.text(right+8, middle+4, "start", b.note)
	}
	c.text(x+panelWidth/2, bottom+36, "middle", p.xTitle)
	return bottom + 42 - y
}

// drawLines draws lines below a legend, on logarithmic axes.
func (c *canvas) drawLines(p panel, x, y float64) float64 {
	legend := c.legend(p.lines, x, y)
	top := y + legend + 8
	bottom := top + plotHeight
	var xs, ys []float64
	for _, l := range p.lines {
		for _, pt := range l.points {
			xs, ys = append(xs, pt.x), append(ys, pt.y)
		}
	}
	slices.Sort(xs)
	vertical := logAxis(ys, bottom, top)
	left := x + 26 + vertical.labelWidth()
	horizontal := valueAxis(slices.Compact(xs), left, x+panelWidth-12)
	c.grid(horizontal, top, bottom)
	for _, t := range vertical.apart(fontSize + 4) {
		at := vertical.at(t.value)
		c.stroke(left, at, x+panelWidth-12, at, `stroke-opacity="0.25"`)
		c.text(left-6, at+4, "end", t.label)
	}
	for _, l := range slices.Backward(p.lines) { // psync, which comes first, on top
		c.line(l, horizontal, vertical)
	}
	c.text((left+x+panelWidth)/2, bottom+36, "middle", p.xTitle)
	fmt.Fprintf(&c.b, `<text transform="translate(%.1f %.1f) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		x+fontSize, (top+bottom)/2, html.EscapeString(p.yTitle))
	return bottom + 42 - y
}

// legend draws the names of lines in their colours, in as many rows as it takes,
// and returns its height.
func (c *canvas) legend(lines []line, x, y float64) float64 {
	const sample, gap, rowHeight = 18.0, 14.0, 18.0
	at, row := x, 0.0
	for _, l := range lines {
		width := sample + 6 + textWidth(l.tool)
		if at > x && at+width > x+panelWidth {
			at, row = x, row+1
		}
		middle := y + row*rowHeight + rowHeight/2
		c.path([]point{{at, middle}, {at + sample, middle}}, l)
		c.text(at+sample+6, middle+4, "start", l.tool)
		at += width + gap
	}
	return (row + 1) * rowHeight
}

// line draws l, with a dot at each point unless it is flat.
func (c *canvas) line(l line, x, y axis) {
	var at []point
	for _, p := range l.points {
		at = append(at, point{x.at(p.x), y.at(p.y)})
	}
	c.path(at, l)
	if l.flat {
		return
	}
	for _, p := range at {
		fmt.Fprintf(&c.b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", p.x, p.y, c.colour(l.tool))
	}
}

func (c *canvas) path(at []point, l line) {
	dashes := ""
	if l.flat {
		dashes = ` stroke-dasharray="5 4"`
	}
	var list []string
	for _, p := range at {
		list = append(list, fmt.Sprintf("%.1f,%.1f", p.x, p.y))
	}
	fmt.Fprintf(&c.b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n", strings.Join(list, " "), c.colour(l.tool), dashes)
}

// grid draws the lines and labels of a horizontal axis, for a plot between top and bottom.
func (c *canvas) grid(a axis, top, bottom float64) {
	for _, t := range a.apart(a.labelWidth() + 4) {
		c.stroke(a.at(t.value), top, a.at(t.value), bottom, `stroke-opacity="0.25"`)
		c.text(a.at(t.value), bottom+16, "middle", t.label)
	}
}

// whisker draws a range from one end to the other.
func (c *canvas) whisker(from, to, y float64) {
	const end, style = 3, `stroke-width="1.5"`
	c.stroke(from, y, to, y, style)
	c.stroke(from, y-end, from, y+end, style)
	c.stroke(to, y-end, to, y+end, style)
}

func (c *canvas) stroke(x1, y1, x2, y2 float64, style string) {
	fmt.Fprintf(&c.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" %s/>`+"\n", x1, y1, x2, y2, textColour, style)
}

func (c *canvas) text(x, y float64, anchor, text string) {
	fmt.Fprintf(&c.b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(text))
}

// colour returns the colour of a tool, which is the next free one at first.
func (c *canvas) colour(tool string) string {
	if c.colours[tool] == "" {
		c.colours[tool] = palette[len(c.colours)%len(palette)]
	}
	return c.colours[tool]
}

// labelWidth returns how wide the widest label of a is.
func (a axis) labelWidth() float64 {
	widest := 0.0
	for _, t := range a.ticks {
		widest = max(widest, textWidth(t.label))
	}
	return widest
}

// textWidth returns about how wide text is drawn.
func textWidth(text string) float64 { return float64(len([]rune(text))) * letterWidth }
