package agent

import (
	"context"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// count counts the files below a directory.
func (s *server) count(d vfs.Dir) *wire.Counted {
	ctx, cancel := s.link.WithContext(context.Background())
	defer cancel()
	var n report.Expected
	source.NewSelector(source.Selection{VolumeFiles: true}, plan.Links{}, nil).Count(ctx, []source.Tree{{Dir: d}}, plan.Policy{}, &n)
	return &wire.Counted{Files: n.Files.Load(), Bytes: n.Bytes.Load(), Known: n.Known.Load()}
}
