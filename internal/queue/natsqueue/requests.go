package natsqueue

import (
	"context"

	"psync/internal/queue"
)

func (q *Queue) Join(ctx context.Context, m queue.Member) error {
	if err := m.Check(); err != nil {
		return err
	}
	_, err := q.do(ctx, command{Do: "join", Member: &m})
	return err
}

func (q *Queue) Report(ctx context.Context, member queue.ID, s queue.Status) error {
	if err := s.Check(); err != nil {
		return err
	}
	_, err := q.do(ctx, command{Do: "report", Who: member, Status: &s})
	return err
}

func (q *Queue) Leave(ctx context.Context, member queue.ID) error {
	_, err := q.do(ctx, command{Do: "leave", Who: member})
	return err
}

func (q *Queue) Claim(ctx context.Context, member, request queue.ID, round int) (queue.Claim, error) {
	c, err := q.do(ctx, command{Do: "claim", Who: member, Request: request, Round: queue.Round{N: round}})
	if err != nil || q.replica.job.ServedBy(server(q.conn), c) {
		return c, err
	}
	// The connection was lost meanwhile, so that the request may have reached a server of which no replica knew that it had
	// begun anew, or one that has lost the claim.
	if err := q.GiveBack(ctx, c); err != nil {
		return queue.Claim{}, err
	}
	return queue.Claim{}, queue.ErrEmpty
}

func (q *Queue) Put(ctx context.Context, c queue.Claim, bundles ...queue.Bundle) error {
	if err := queue.CheckBundles(bundles); err != nil {
		return err
	}
	_, err := q.do(ctx, command{Do: "put", Claim: claimOf(c), Bundles: bundles})
	return err
}

func (q *Queue) Renew(ctx context.Context, c queue.Claim) error {
	_, err := q.do(ctx, command{Do: "renew", Claim: claimOf(c)})
	return err
}

func (q *Queue) Finish(ctx context.Context, c queue.Claim) error {
	_, err := q.do(ctx, command{Do: "finish", Claim: claimOf(c)})
	return err
}

func (q *Queue) GiveBack(ctx context.Context, c queue.Claim) error {
	_, err := q.do(ctx, command{Do: "give back", Claim: claimOf(c)})
	return err
}

func (q *Queue) Begin(ctx context.Context, r queue.Round) error {
	_, err := q.do(ctx, command{Do: "begin", Round: r})
	return err
}

func (q *Queue) Close(ctx context.Context, exitStatus int) error {
	_, err := q.do(ctx, command{Do: "close", Exit: exitStatus})
	return err
}
