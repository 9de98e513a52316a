package agent

import (
	"context"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/wire"
)

type count wire.Count

func (r *count) needs() needs { return needs{at: r.Dir} }

func (r *count) answer(s *server, at, _ *object) (wire.Message, error) {
	d, err := at.directory()
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.link.WithContext(context.Background())
	defer cancel()
	var n report.Expected
	source.NewSelector(source.Selection{VolumeFiles: true}, plan.Links{}, nil).Count(ctx, []source.Tree{{Dir: d}}, plan.Policy{}, &n)
	return &wire.Counted{Files: n.Files.Load(), Bytes: n.Bytes.Load(), Known: n.Known.Load()}, nil
}
