package sshconn

import (
	"context"
	"fmt"

	"psync/internal/sshconn/client"
	"psync/internal/sshconn/config"
)

// maxHops is the maximum number of jump hosts. More indicate a loop in the configuration.
const maxHops = 8

// hop connects to the last jump host, through the others. It returns nil if there are none.
func (d *Dialer) hop(ctx context.Context, s *config.Host, via []Target, depth int) (*client.Client, error) {
	if len(via) == 0 {
		via = s.ProxyJump
	}
	if len(via) == 0 {
		return nil, nil
	}
	last := via[len(via)-1]
	if last.Host == s.Alias && (last.Port == 0 || last.Port == s.Port) && (last.User == "" || last.User == s.User) {
		return nil, nil // As in ssh, "Host *" may name a jump host that it also applies to.
	}
	if depth == maxHops {
		return nil, fmt.Errorf("ProxyJump leads through more than %d hosts", maxHops)
	}
	return d.dial(ctx, last, via[:len(via)-1], depth+1)
}
