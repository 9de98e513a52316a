package cli

import "testing"

func TestExitCodeWithoutOutput(t *testing.T) {
	for _, c := range []struct {
		code       int
		comparison bool
		want       int
	}{
		{ExitOK, false, ExitFatal},
		{ExitUsage, false, ExitUsage},
		{ExitOperands, false, ExitOperands},
		{ExitInterrupted, false, ExitInterrupted},
		{ExitFailed, false, ExitFailed},
		{ExitOK, true, ExitTrouble},
		{ExitDiffers, true, ExitTrouble},
		{ExitTrouble, true, ExitTrouble},
	} {
		if got := withoutOutput(c.code, c.comparison); got != c.want {
			t.Errorf("%d, comparison %t: got %d, want %d", c.code, c.comparison, got, c.want)
		}
	}
}
