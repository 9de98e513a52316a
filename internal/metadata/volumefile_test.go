package metadata

import "testing"

func TestVolumeFiles(t *testing.T) {
	for _, tt := range []struct {
		profile *Profile
		name    string
		want    bool
	}{
		{Darwin, ".Spotlight-V100", true},
		{Darwin, ".fseventsd", true},
		{Darwin, ".Trashes", true},
		{Darwin, ".DocumentRevisions-V100", true},
		{Darwin, ".TemporaryItems", true},
		{Darwin, ".trashes", true},
		{Darwin, ".Trash", false}, // in a home directory
		{Darwin, "Trashes", false},
		{Darwin, ".DS_Store", false},
		{Darwin, ".VolumeIcon.icns", false},
		{Linux, ".Trashes", false},
		{FreeBSD, ".fseventsd", false},
	} {
		if got := tt.profile.IsVolumeFile(tt.name); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
