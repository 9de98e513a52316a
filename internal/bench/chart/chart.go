// Package chart draws measurements as bars, or as lines on logarithmic axes.
package chart

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Panel is one of several charts in an image. A panel without bars and lines has only a title.
type Panel struct {
	Title  string
	XTitle string
	YTitle string // of lines
	Bars   []Bar
	Lines  []Line
}

// A Bar is a value with its range.
type Bar struct {
	Name             string
	Median, Min, Max float64
}

// A Line connects points, ordered by X. All numbers are positive. A flat line is dashed and has no dots.
type Line struct {
	Name   string
	Points []Point
	Flat   bool
}

// A Point is a point of a line.
type Point = plotter.XY

// SVG returns an image of the panels, two in a row.
func SVG(panels []Panel) ([]byte, error) {
	const width, gap = 440, 12
	var height vg.Length
	for _, p := range panels {
		height = max(height, p.height())
	}
	tiles := draw.Tiles{
		Cols: min(2, len(panels)), Rows: (len(panels) + 1) / 2,
		PadTop: gap, PadBottom: gap, PadLeft: gap, PadRight: gap, PadX: 2 * gap, PadY: 2 * gap,
	}
	image := vgsvg.New(vg.Length(tiles.Cols)*(width+2*gap), vg.Length(tiles.Rows)*(height+2*gap))
	canvas := draw.New(image)
	canvas.SetColor(color.White) // the page may be black
	canvas.Fill(canvas.Rectangle.Path())
	for i, p := range panels {
		drawn, err := p.plot()
		if err != nil {
			return nil, err
		}
		drawn.Draw(tiles.At(canvas, i%2, i/2))
	}
	var b bytes.Buffer
	_, err := image.WriteTo(&b)
	// The image names the font that it was laid out with, which few systems have.
	const font = "font-family:Liberation Sans"
	return bytes.ReplaceAll(b.Bytes(), []byte(font), []byte(font+",Arial,sans-serif")), err
}

func (p Panel) height() vg.Length {
	if len(p.Lines) > 0 {
		return 300
	}
	return vg.Length(80 + 24*len(p.Bars))
}

func (p Panel) plot() (*plot.Plot, error) {
	drawn := plot.New()
	for _, style := range []*text.Style{
		&drawn.Title.TextStyle, &drawn.Legend.TextStyle,
		&drawn.X.Label.TextStyle, &drawn.X.Tick.Label, &drawn.Y.Label.TextStyle, &drawn.Y.Tick.Label,
	} {
		style.Font.Variant = "Sans"
	}
	drawn.Title.Text = p.Title
	drawn.Title.Padding = 8
	drawn.X.Label.Text, drawn.Y.Label.Text = p.XTitle, p.YTitle
	switch {
	case len(p.Bars) > 0:
		return drawn, addBars(drawn, p.Bars)
	case len(p.Lines) > 0:
		return drawn, addLines(drawn, p.Lines)
	}
	drawn.HideAxes()
	return drawn, nil
}

// ranges holds bars with their error ranges, in the form that gonum requires.
type ranges struct {
	plotter.XYs
	plotter.XErrors
}

// addBars adds horizontal bars, the first one on top.
func addBars(p *plot.Plot, bars []Bar) error {
	var names []string
	var values plotter.Values
	var spread ranges
	for i, b := range slices.Backward(bars) {
		names = append(names, b.Name)
		values = append(values, b.Median)
		spread.XYs = append(spread.XYs, plotter.XY{X: b.Median, Y: float64(len(bars) - 1 - i)})
		spread.XErrors = append(spread.XErrors, struct{ Low, High float64 }{b.Median - b.Min, b.Max - b.Median})
	}
	chart, err := plotter.NewBarChart(values, 14)
	if err != nil {
		return err
	}
	chart.Horizontal, chart.Color, chart.LineStyle.Width = true, plotutil.Color(2), 0
	whiskers, err := plotter.NewXErrorBars(spread)
	if err != nil {
		return err
	}
	p.NominalY(names...)
	p.Add(chart, whiskers)
	p.X.Min = 0
	return nil
}

// addLines adds lines, the first in front of the others, and a legend where the first line leaves the most
// room.
func addLines(p *plot.Plot, lines []Line) error {
	p.Add(plotter.NewGrid())
	var xs []float64
	thumbs := make([][]plot.Thumbnailer, len(lines))
	for i, l := range slices.Backward(lines) {
		line, dots, err := plotter.NewLinePoints(plotter.XYs(l.Points))
		if err != nil {
			return err
		}
		line.Width, line.Color = 1.5, plotutil.Color(i)
		dots.Shape, dots.Color = draw.CircleGlyph{}, plotutil.Color(i)
		p.Add(line)
		thumbs[i] = append(thumbs[i], line)
		if l.Flat {
			line.Dashes = plotutil.Dashes(1)
		} else {
			p.Add(dots)
			thumbs[i] = append(thumbs[i], dots)
		}
		for _, point := range l.Points {
			xs = append(xs, point.X)
		}
	}
	for i, l := range lines {
		p.Legend.Add(l.Name, thumbs[i]...)
	}
	points := lines[0].Points
	p.Legend.Top, p.Legend.Left = true, points[0].Y < points[len(points)-1].Y
	slices.Sort(xs)
	ticksAt(&p.X, slices.Compact(xs))
	logTicks(&p.Y)
	return nil
}

// ticksAt makes an axis logarithmic, with a tick at each of the values, which are in ascending order.
func ticksAt(a *plot.Axis, values []float64) {
	a.Scale = plot.LogScale{}
	if a.Min == a.Max { // otherwise gonum would extend the axis by one, perhaps to zero
		a.Min, a.Max = a.Min/2, a.Max*2
	}
	var ticks plot.ConstantTicks
	for _, v := range values {
		ticks = append(ticks, tick(v))
	}
	a.Tick.Marker = ticks
}

// logTicks makes an axis logarithmic, with ticks at 1, 2 and 5 times each power of ten, and one at each end.
// gonum's own ticks are only at powers of ten, and not below 1.
func logTicks(a *plot.Axis) {
	a.Scale = plot.LogScale{}
	var ticks plot.ConstantTicks
	for power := math.Floor(math.Log10(a.Min)); ; power++ {
		for _, factor := range []float64{1, 2, 5} {
			value := factor * math.Pow(10, power)
			if value <= a.Min { // a tighter lower end than before
				ticks = nil
			}
			ticks = append(ticks, tick(value))
			if value >= a.Max && len(ticks) > 1 {
				a.Min, a.Max, a.Tick.Marker = ticks[0].Value, value, ticks
				return
			}
		}
	}
}

func tick(value float64) plot.Tick {
	return plot.Tick{Value: value, Label: strconv.FormatFloat(value, 'g', 6, 64)}
}
