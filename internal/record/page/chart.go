package page

import (
	"fmt"
	"math"
	"strings"

	"psync/internal/ui"
)

// The size of the drawing of a chart, in units of its own: it is stretched to the width of the page.
const chartWidth, chartHeight = 720.0, 160.0

// A chart is a drawing in SVG, with labels in HTML, which keep their size however narrow the page is.
type chart struct {
	Title string
	Area  string // the path of an area, or ""
	Bars  []bar
	X     []tick   // across, in percent
	Y     []string // at the top, in the middle and at the bottom
}

// A bar is a rectangle.
type bar struct {
	X, Y, Width, Height float64
	Title               string
}

// A tick is a label at an axis.
type tick struct {
	At   float64
	Text string
}

// overTime draws a rate over time. The unit is made of a figure for people by label.
func overTime(title string, l *timeline, value func(Sum) int64, label func(float64) string) chart {
	c := chart{Title: title}
	most := 0.0
	rates := make([]float64, len(l.parts))
	for i, p := range l.parts {
		rates[i] = float64(value(p)) / l.width
		most = max(most, rates[i])
	}
	n := float64(max(len(rates), 1))
	c.yAxis(most, label)
	var path strings.Builder
	fmt.Fprintf(&path, "M0 %.1f", chartHeight)
	for i, rate := range rates {
		y := height(rate, most)
		fmt.Fprintf(&path, "L%.1f %.1fL%.1f %.1f", float64(i)/n*chartWidth, y, float64(i+1)/n*chartWidth, y)
	}
	fmt.Fprintf(&path, "L%.1f %.1fZ", chartWidth, chartHeight)
	c.Area = path.String()
	const ticks = 3 // whose labels fit on a phone
	for i := range ticks + 1 {
		part := float64(i) / ticks
		c.X = append(c.X, tick{100 * part, seconds(part * n * l.width)})
	}
	return c
}

// histogram draws how many files have which size.
func histogram(sizes *[65]Sum) chart {
	c := chart{Title: "Files by size"}
	first, last, most := -1, 0, int64(0)
	for i, s := range sizes {
		if s.Count == 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		last, most = i, max(most, s.Count)
	}
	if first < 0 {
		return c
	}
	c.yAxis(float64(most), func(v float64) string { return ui.Count(int64(v)) })
	n := float64(last - first + 1)
	for i := first; i <= last; i++ {
		part, y := float64(i-first)/n, height(float64(sizes[i].Count), float64(most))
		width := chartWidth / n
		c.Bars = append(c.Bars, bar{
			part*chartWidth + width*0.05, y, width * 0.9, chartHeight - y,
			fmt.Sprintf("%s: %s, %s", sizeRange(i), ui.Things(sizes[i].Count, "file", "files"), ui.Size(sizes[i].Bytes)),
		})
		const labels = 5 // fit on a phone
		if (i-first)%(int(n+labels-1)/labels) == 0 {
			c.X = append(c.X, tick{100 * (part + 0.5/n), atLeast(i)})
		}
	}
	return c
}

// atLeast returns the least size with a number of bits.
func atLeast(bits int) string {
	if bits == 0 {
		return "0"
	}
	return ui.Size(1 << (bits - 1))
}

func sizeRange(bits int) string {
	switch bits {
	case 0:
		return "empty"
	case 1:
		return "1 B"
	}
	return atLeast(bits) + " to below " + ui.Size(1<<min(bits, 62))
}

func (c *chart) yAxis(most float64, label func(float64) string) {
	c.Y = []string{label(most), label(most / 2), label(0)}
}

// height returns how far below the top a value is.
func height(v, most float64) float64 {
	if most == 0 {
		return chartHeight
	}
	return math.Round((1-v/most)*chartHeight*10) / 10
}
