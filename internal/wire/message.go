package wire

import (
	"reflect"
	"sync"
)

// A Message is the body of a frame: a pointer to one of the structures of this package. A request that fails is answered
// by Error, and others by what their comments say, or else by Done.
type Message interface {
	// fields encodes or decodes all fields.
	fields(c *coder)
}

// A Role is what a kind of message is for.
type Role uint8

// The roles: those from RoleQuery on are requests about files and the host.
const (
	RoleSession Role = iota // about the session itself, or its handles
	RoleAnswer
	RoleQuery  // changes nothing
	RoleChange // changes something other than the contents of a file that is open
	RoleWrite  // changes the contents of a file that is open; Finish waits for it
	RoleFinish
)

// RoleOf returns what a message is for.
func RoleOf(m Message) Role { return kinds().of[reflect.TypeOf(m)].role }

// messages makes an empty message of each kind. On the wire, the kinds are numbered in this order, from 1.
var messages = [...][]func() Message{
	RoleSession: {
		empty[Hello], empty[Welcome], empty[Join], empty[Replace], empty[Ack], empty[Probe], empty[Ping],
		empty[Prepare], empty[ClearUmask], empty[Close],
	},
	RoleAnswer: {
		empty[Error], empty[Done], empty[Number], empty[Paths], empty[Opened], empty[Listing], empty[AttrAnswer],
		empty[Counted], empty[Got], empty[Data], empty[Range], empty[SetAnswer], empty[Names], empty[MadeDirs],
	},
	RoleQuery: {
		empty[PathQuery], empty[Account], empty[OpenPath], empty[OpenDir], empty[List], empty[Lstat], empty[Readlink],
		empty[Count], empty[Sync], empty[Get], empty[Read], empty[NextData], empty[Sums], empty[Xattrs], empty[ReadXattr],
		empty[XattrSize], empty[Flags],
	},
	RoleChange: {
		empty[Mkdir], empty[MakeDirs], empty[Symlink], empty[Link], empty[Mknod], empty[Rename], empty[Remove],
		empty[Create], empty[Put], empty[Set],
	},
	RoleWrite:  {empty[Write], empty[Resize], empty[Copy]},
	RoleFinish: {empty[Finish]},
}

func empty[T any, P interface {
	*T
	Message
}]() Message {
	return P(new(T))
}

// A kind is a kind of message.
type kind struct {
	number byte
	role   Role
}

// A kindTable has the kinds by the types of their messages, and what makes an empty message of each number.
type kindTable struct {
	of    map[reflect.Type]kind
	empty []func() Message
}

var (
	kindsOnce sync.Once
	kindsMade kindTable
)

func kinds() *kindTable {
	kindsOnce.Do(func() {
		kindsMade = kindTable{of: make(map[reflect.Type]kind), empty: make([]func() Message, 1)}
		for role, group := range messages {
			for _, empty := range group {
				kindsMade.of[reflect.TypeOf(empty())] = kind{byte(len(kindsMade.empty)), Role(role)}
				kindsMade.empty = append(kindsMade.empty, empty)
			}
		}
	})
	return &kindsMade
}
