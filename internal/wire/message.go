package wire

// A Message is the body of a frame: a pointer to one of the structures of this package.
type Message interface {
	// kind returns the number of the kind of message on the wire, which never means anything else, and what it is for.
	kind() (byte, Role)
	// fields encodes or decodes all fields.
	fields(c *coder)
}

// A Request is a message that is answered by an A, or by Error.
type Request[A Message] interface {
	Message
	answer() A
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
func RoleOf(m Message) Role {
	_, role := m.kind()
	return role
}

// messages makes an empty message of each kind.
var messages = [...]func() Message{
	1: empty[Hello], empty[Welcome], empty[Join], empty[Ping], empty[Done], empty[Prepare],
	7: empty[ClearUmask], empty[Umask], empty[PathQuery], empty[Paths], empty[Routes], empty[Account],
	13: empty[OpenPath], empty[OpenDir], empty[Opened], empty[Mkdir], empty[Close], empty[List],
	19: empty[Listing], empty[Lstat], empty[AttrAnswer], empty[Readlink], empty[Symlink], empty[Link],
	25: empty[Mknod], empty[Rename], empty[Remove], empty[Statfs], empty[VolumeAnswer], empty[Sync],
	31: empty[Get], empty[Got], empty[Read], empty[Data], empty[Extents], empty[ExtentsAnswer],
	37: empty[StatFile], empty[Sums], empty[SumsAnswer], empty[Create], empty[Write], empty[Resize],
	43: empty[Copy], empty[Copied], empty[Finish], empty[Put], empty[Set], empty[SetAnswer],
	49: empty[Xattrs], empty[Names], empty[ReadXattr], empty[XattrSize], empty[Flags], empty[FlagsAnswer],
	55: empty[Error], empty[Ack], empty[Goodbye], empty[Resume], empty[Resumed], empty[Count],
	61: empty[Counted],
}

func empty[T any, P interface {
	*T
	Message
}]() Message {
	return P(new(T))
}
