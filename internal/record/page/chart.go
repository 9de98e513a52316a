package page

import (
	"fmt"
	"math"
	"strings"

	"psync/internal/ui"
)

// The size of a chart, in units of its own.
const (
	chartWidth, chartHeight = 720.0, 200.0
	left, right             = 64.0, 30.0
	top, bottom             = 10.0, 24.0
)

// A chart is a drawing in SVG.
type chart struct {
	Title string
	Area  string // the path of an area, or ""
	Bars  []bar
	X, Y  []tick
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
	fmt.Fprintf(&path, "M%.1f %.1f", left, chartHeight-bottom)
	for i, rate := range rates {
		y := height(rate, most)
		fmt.Fprintf(&path, "L%.1f %.1fL%.1f %.1f", across(float64(i)/n), y, across(float64(i+1)/n), y)
	}
	fmt.Fprintf(&path, "L%.1f %.1fZ", across(1), chartHeight-bottom)
	c.Area = path.String()
	for i := range 5 {
		part := float64(i) / 4
		c.X = append(c.X, tick{across(part), seconds(part * n * l.width)})
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
		x, y := across(float64(i-first)/n), height(float64(sizes[i].Count), float64(most))
		width := (chartWidth - left - right) / n
		c.Bars = append(c.Bars, bar{
			x + width*0.05, y, width * 0.9, chartHeight - bottom - y,
			fmt.Sprintf("%s: %s files, %s", sizeRange(i), ui.Count(sizes[i].Count), ui.Size(sizes[i].Bytes)),
		})
		if (i-first)%max(1, int(n+7)/8) == 0 {
			c.X = append(c.X, tick{x + width/2, atLeast(i)})
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
	for _, part := range []float64{0, 0.5, 1} {
		c.Y = append(c.Y, tick{height(part*most, most), label(part * most)})
	}
}

func across(part float64) float64 { return left + part*(chartWidth-left-right) }

func height(v, most float64) float64 {
	if most == 0 {
		return chartHeight - bottom
	}
	return math.Round((chartHeight-bottom-v/most*(chartHeight-top-bottom))*10) / 10
}
