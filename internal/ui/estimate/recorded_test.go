package estimate

import (
	"math"
	"testing"
	"time"

	"psync/internal/report"
)

// A recorded is a moment of a real run.
type recorded struct {
	at                 int // ms
	copied, kept       int64
	copiedKiB, keptKiB int64
}

// A second sync, of a tree of which one file in ten has changed: the workers are slow while the source is being counted.
func TestEstimatesOfRealRuns(t *testing.T) {
	for _, test := range []struct {
		what    string
		total   Amount
		counted int // ms
		moments []recorded
		near    float64 // the share of the estimates, after a tenth of the run, that are within a third of the truth
	}{
		{"a kernel's source on a disk, by one worker", Amount{78579, 1298689871}, 9001, []recorded{
			{0, 0, 0, 0, 0},
			{1210, 31, 862, 854, 6344},
			{2460, 74, 862, 1018, 6344},
			{3843, 132, 1344, 1638, 9091},
			{5116, 223, 2255, 2405, 15517},
			{6407, 292, 2713, 2848, 18619},
			{7609, 324, 2992, 2961, 20242},
			{9001, 560, 5328, 4329, 33728},
			{10209, 901, 8259, 6546, 52836},
			{11601, 1199, 10927, 9198, 80543},
			{13000, 1487, 13570, 11644, 108144},
			{14244, 1706, 15299, 14640, 130179},
			{15604, 2048, 18297, 18487, 160890},
			{17000, 2397, 21753, 48023, 571540},
			{18220, 2653, 23853, 51742, 600701},
			{19440, 2887, 26450, 57768, 659031},
			{20804, 3296, 30167, 64936, 715741},
			{22202, 3681, 33946, 70452, 768526},
			{23600, 4024, 36849, 76709, 827173},
			{24801, 4318, 39326, 83175, 883572},
			{26002, 4617, 41846, 88706, 928976},
			{27208, 4904, 44557, 91157, 958695},
			{28408, 5103, 46629, 92300, 970386},
			{29801, 5498, 49879, 94613, 991206},
			{31004, 5833, 52710, 96713, 1013572},
			{32400, 6285, 56728, 99111, 1039475},
			{33604, 6709, 60536, 104595, 1085324},
			{35000, 6969, 62722, 107957, 1119240},
			{36228, 7219, 64846, 109629, 1135791},
			{37600, 7683, 68887, 111088, 1147558},
			{38401, 7875, 70680, 112204, 1155881},
		}, 0.7},
		{"/usr on a busy system, by two", Amount{136884, 6244818297}, 4200, []recorded{
			{0, 0, 0, 0, 0},
			{1060, 798, 7753, 117357, 411573},
			{2201, 2145, 19271, 138241, 600033},
			{3203, 3194, 28652, 255054, 1403661},
			{4401, 4626, 41547, 270116, 1553981},
			{5614, 6173, 55466, 328388, 1871972},
			{6800, 7975, 71693, 451724, 3646106},
			{7800, 8939, 79749, 715487, 4741243},
			{8800, 10513, 93382, 743155, 4970647},
			{9804, 12361, 109665, 748307, 5037046},
			{10400, 13916, 122598, 761799, 5197744},
		}, 0.5},
	} {
		var e Estimator
		end := test.moments[len(test.moments)-1].at
		near, all := 0, 0
		for _, m := range test.moments {
			counted := m.at >= test.counted
			e.Add(time.Duration(m.at)*time.Millisecond, report.Totals{
				report.FilesCopied: m.copied, report.FilesKept: m.kept,
				report.BytesCopied: m.copiedKiB << 10, report.BytesKept: m.keptKiB << 10,
			}, counted)
			left := e.Status(test.total, counted).Left
			if left == 0 || m.at < end/10 || m.at > end-1000 {
				continue
			}
			all++
			off := float64(left.Milliseconds())/float64(end-m.at) - 1
			if math.Abs(off) <= 1./3 {
				near++
			}
			t.Logf("%s: after %d ms, %v left, of %d ms: %+.0f %%", test.what, m.at, left.Round(time.Millisecond), end-m.at, off*100)
		}
		if share := float64(near) / float64(all); share < test.near {
			t.Errorf("%s: %d of %d estimates are within a third of the truth, want %.0f %%", test.what, near, all, test.near*100)
		}
	}
}
