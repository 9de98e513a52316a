package metadata

import (
	"io/fs"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
)

func TestPlanOfOwners(t *testing.T) {
	theirs := func(mode fs.FileMode, uid, gid uint32) State {
		return State{Attr: vfs.Attr{Mode: mode, UID: uid, GID: gid}}
	}
	const setuid, setgid = fs.ModeSetuid, fs.ModeSetgid
	ids := Keep{Owner: true, Group: true}
	all := Keep{Owner: true, Group: true, Perms: true}
	tests := []struct {
		name     string
		user     vfs.User
		keep     Keep
		src, dst State
		want     string
		diff     report.Diff
		lost     report.Attr
	}{
		{"equal", root, ids, theirs(0o644, 1, 2), theirs(0o644, 1, 2), "", 0, 0},
		{"not kept", root, Keep{}, theirs(0o644, 1, 2), theirs(0o644, 3, 4), "", 0, 0},
		{"owner", root, ids, theirs(0o644, 1, 2), theirs(0o644, 3, 2), "chown 1:-1, rename", report.DiffOwner, 0},
		{"group", root, ids, theirs(0o644, 1, 2), theirs(0o644, 1, 4), "chown -1:2, rename", report.DiffGroup, 0},
		{"group alone kept", root, Keep{Group: true}, theirs(0o644, 1, 2), theirs(0o644, 3, 4), "chown -1:2, rename", report.DiffGroup, 0},
		{"foreign owner", alice, ids, theirs(0o644, 1, 20), theirs(0o644, 501, 20), "(chown -1:-1)", 0, report.Owner},
		{"foreign owner and group", alice, ids, theirs(0o644, 1, 2), theirs(0o644, 501, 20), "(chown -1:-1)", 0, report.Owner | report.Group},
		{"foreign owner, group of ours", alice, ids, theirs(0o644, 1, 80), theirs(0o644, 501, 20), "chown -1:80, rename", report.DiffGroup, report.Owner},

		{"set-id bits after a change", root, all, theirs(setuid|setgid|0o755, 1, 2), theirs(setuid|setgid|0o755, 3, 2), "chown 1:-1, chmod 6755, rename", report.DiffOwner, 0},
		{"of a directory they stay", root, all, theirs(fs.ModeDir|setgid|0o755, 1, 2), theirs(fs.ModeDir|setgid|0o755, 3, 4), "chown 1:2, rename", report.DiffOwner | report.DiffGroup, 0},
		{"for an owner that is not kept", root, Keep{Perms: true}, theirs(setuid|setgid|0o755, 1, 2), theirs(0o700, 0, 2), "chmod 2755, rename", report.DiffPerms, report.Mode},
		{"for an owner that cannot be kept", alice, all, theirs(setuid|setgid|0o755, 0, 20), theirs(0o700, 501, 20), "(chown -1:-1), chmod 2755, rename", report.DiffPerms, report.Owner | report.Mode},
		{"for a group that cannot be kept", alice, all, theirs(setuid|setgid|0o755, 501, 0), theirs(0o700, 501, 20), "(chown -1:-1), chmod 4755, rename", report.DiffPerms, report.Group | report.Mode},
		{"of the one that it was", root, ids, theirs(0o755, 1, 2), theirs(setuid|setgid|0o755, 3, 2), "chown 1:-1, chmod 2755, rename", report.DiffOwner | report.DiffPerms, 0},
		{"for a group that we are not in, found", alice, all, theirs(fs.ModeDir|setgid|0o755, 501, 7), theirs(fs.ModeDir|setgid|0o755, 501, 7), "", 0, 0},
		{"for a group that we are not in, new", alice, all, theirs(fs.ModeDir|setgid|0o755, 501, 7), theirs(fs.ModeDir|0o755, 501, 7), "(chmod 755)", 0, report.Mode},
		{"set-id bits are not kept", root, Keep{}, theirs(setuid|0o755, 1, 2), theirs(0o755, 1, 2), "", 0, 0},
		{"set-id and sticky bits stay", root, Keep{}, theirs(fs.ModeDir|0o755, 1, 2), theirs(fs.ModeDir|fs.ModeSticky|setgid|0o700, 1, 2), "chmod 3755, rename", report.DiffPerms, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ops := Linux.Plan(nil, tt.keep, PlanContext{User: tt.user}, &tt.src, &tt.dst)
			if got := describe(ops); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := Diff(ops); got != tt.diff {
				t.Errorf("differences %b, want %b", got, tt.diff)
			}
			if got := lost(ops); got != tt.lost {
				t.Errorf("lost: %v, want %v", got, tt.lost)
			}
		})
	}
	ignored := PlanContext{Ignored: report.Owner | report.Group}
	src, dst := theirs(0o755, 1, 2), theirs(0o755, 3, 4)
	ops := Darwin.Plan(nil, ids, ignored, &src, &dst)
	if got := describe(ops); got != "(chown -1:-1)" || lost(ops) != ignored.Ignored {
		t.Errorf("where owners are ignored: %q, lost %v", got, lost(ops))
	}
	src.Mode = 0o644
	ignored.Ignored = report.Mode
	ops = Linux.Plan(nil, Keep{}, ignored, &src, &dst)
	if got := describe(ops); got != "(chmod 755)" || lost(ops) != report.Mode {
		t.Errorf("where modes are ignored: %q, lost %v", got, lost(ops))
	}
}

func lost(ops []Op) (attrs report.Attr) {
	for _, op := range ops {
		attrs |= op.Lost
	}
	return attrs
}
