package wire

// A kind is the number of a kind of message on the wire. Numbers are never used again for anything else.
type kind uint8

// The kinds.
const (
	_ kind = iota
	kindHello
	kindWelcome
	kindJoin
	kindPing
	kindDone
	kindPrepare
	kindClearUmask
	kindUmask
	kindPathQuery
	kindPaths
	kindTruth
	kindAccount
	kindOpenPath
	kindOpenDir
	kindOpened
	kindMkdir
	kindClose
	kindList
	kindListing
	kindLstat
	kindAttrAnswer
	kindReadlink
	kindSymlink
	kindLink
	kindMknod
	kindRename
	kindRemove
	kindStatfs
	kindVolumeAnswer
	kindSync
	kindGet
	kindGot
	kindRead
	kindData
	kindExtents
	kindExtentsAnswer
	kindStatFile
	kindSums
	kindSumsAnswer
	kindCreate
	kindWrite
	kindResize
	kindCopy
	kindCopied
	kindFinish
	kindPut
	kindCarry
	kindCarried
	kindXattrs
	kindNames
	kindReadXattr
	kindXattrSize
	kindWriteXattr
	kindFlags
	kindFlagsAnswer
	kindError
	kindAck
	kindGoodbye
	kindResume
	kindResumed
	kindCount
	kindCounted
	kindLimit
)

// messages makes an empty message of each kind.
var messages = [kindLimit]func() Message{
	kindHello:         func() Message { return new(Hello) },
	kindWelcome:       func() Message { return new(Welcome) },
	kindJoin:          func() Message { return new(Join) },
	kindPing:          func() Message { return new(Ping) },
	kindDone:          func() Message { return new(Done) },
	kindPrepare:       func() Message { return new(Prepare) },
	kindClearUmask:    func() Message { return new(ClearUmask) },
	kindUmask:         func() Message { return new(Umask) },
	kindPathQuery:     func() Message { return new(PathQuery) },
	kindPaths:         func() Message { return new(Paths) },
	kindTruth:         func() Message { return new(Truth) },
	kindAccount:       func() Message { return new(Account) },
	kindOpenPath:      func() Message { return new(OpenPath) },
	kindOpenDir:       func() Message { return new(OpenDir) },
	kindOpened:        func() Message { return new(Opened) },
	kindMkdir:         func() Message { return new(Mkdir) },
	kindClose:         func() Message { return new(Close) },
	kindList:          func() Message { return new(List) },
	kindListing:       func() Message { return new(Listing) },
	kindLstat:         func() Message { return new(Lstat) },
	kindAttrAnswer:    func() Message { return new(AttrAnswer) },
	kindReadlink:      func() Message { return new(Readlink) },
	kindSymlink:       func() Message { return new(Symlink) },
	kindLink:          func() Message { return new(Link) },
	kindMknod:         func() Message { return new(Mknod) },
	kindRename:        func() Message { return new(Rename) },
	kindRemove:        func() Message { return new(Remove) },
	kindStatfs:        func() Message { return new(Statfs) },
	kindVolumeAnswer:  func() Message { return new(VolumeAnswer) },
	kindSync:          func() Message { return new(Sync) },
	kindGet:           func() Message { return new(Get) },
	kindGot:           func() Message { return new(Got) },
	kindRead:          func() Message { return new(Read) },
	kindData:          func() Message { return new(Data) },
	kindExtents:       func() Message { return new(Extents) },
	kindExtentsAnswer: func() Message { return new(ExtentsAnswer) },
	kindStatFile:      func() Message { return new(StatFile) },
	kindSums:          func() Message { return new(Sums) },
	kindSumsAnswer:    func() Message { return new(SumsAnswer) },
	kindCreate:        func() Message { return new(Create) },
	kindWrite:         func() Message { return new(Write) },
	kindResize:        func() Message { return new(Resize) },
	kindCopy:          func() Message { return new(Copy) },
	kindCopied:        func() Message { return new(Copied) },
	kindFinish:        func() Message { return new(Finish) },
	kindPut:           func() Message { return new(Put) },
	kindCarry:         func() Message { return new(Carry) },
	kindCarried:       func() Message { return new(Carried) },
	kindXattrs:        func() Message { return new(Xattrs) },
	kindNames:         func() Message { return new(Names) },
	kindReadXattr:     func() Message { return new(ReadXattr) },
	kindXattrSize:     func() Message { return new(XattrSize) },
	kindWriteXattr:    func() Message { return new(WriteXattr) },
	kindFlags:         func() Message { return new(Flags) },
	kindFlagsAnswer:   func() Message { return new(FlagsAnswer) },
	kindError:         func() Message { return new(Error) },
	kindAck:           func() Message { return new(Ack) },
	kindGoodbye:       func() Message { return new(Goodbye) },
	kindResume:        func() Message { return new(Resume) },
	kindResumed:       func() Message { return new(Resumed) },
	kindCount:         func() Message { return new(Count) },
	kindCounted:       func() Message { return new(Counted) },
}

func (*Hello) kind() kind         { return kindHello }
func (*Welcome) kind() kind       { return kindWelcome }
func (*Join) kind() kind          { return kindJoin }
func (*Ping) kind() kind          { return kindPing }
func (*Done) kind() kind          { return kindDone }
func (*Prepare) kind() kind       { return kindPrepare }
func (*ClearUmask) kind() kind    { return kindClearUmask }
func (*Umask) kind() kind         { return kindUmask }
func (*PathQuery) kind() kind     { return kindPathQuery }
func (*Paths) kind() kind         { return kindPaths }
func (*Truth) kind() kind         { return kindTruth }
func (*Account) kind() kind       { return kindAccount }
func (*OpenPath) kind() kind      { return kindOpenPath }
func (*OpenDir) kind() kind       { return kindOpenDir }
func (*Opened) kind() kind        { return kindOpened }
func (*Mkdir) kind() kind         { return kindMkdir }
func (*Close) kind() kind         { return kindClose }
func (*List) kind() kind          { return kindList }
func (*Listing) kind() kind       { return kindListing }
func (*Lstat) kind() kind         { return kindLstat }
func (*AttrAnswer) kind() kind    { return kindAttrAnswer }
func (*Readlink) kind() kind      { return kindReadlink }
func (*Symlink) kind() kind       { return kindSymlink }
func (*Link) kind() kind          { return kindLink }
func (*Mknod) kind() kind         { return kindMknod }
func (*Rename) kind() kind        { return kindRename }
func (*Remove) kind() kind        { return kindRemove }
func (*Statfs) kind() kind        { return kindStatfs }
func (*VolumeAnswer) kind() kind  { return kindVolumeAnswer }
func (*Sync) kind() kind          { return kindSync }
func (*Get) kind() kind           { return kindGet }
func (*Got) kind() kind           { return kindGot }
func (*Read) kind() kind          { return kindRead }
func (*Data) kind() kind          { return kindData }
func (*Extents) kind() kind       { return kindExtents }
func (*ExtentsAnswer) kind() kind { return kindExtentsAnswer }
func (*StatFile) kind() kind      { return kindStatFile }
func (*Sums) kind() kind          { return kindSums }
func (*SumsAnswer) kind() kind    { return kindSumsAnswer }
func (*Create) kind() kind        { return kindCreate }
func (*Write) kind() kind         { return kindWrite }
func (*Resize) kind() kind        { return kindResize }
func (*Copy) kind() kind          { return kindCopy }
func (*Copied) kind() kind        { return kindCopied }
func (*Finish) kind() kind        { return kindFinish }
func (*Put) kind() kind           { return kindPut }
func (*Carry) kind() kind         { return kindCarry }
func (*Carried) kind() kind       { return kindCarried }
func (*Xattrs) kind() kind        { return kindXattrs }
func (*Names) kind() kind         { return kindNames }
func (*ReadXattr) kind() kind     { return kindReadXattr }
func (*XattrSize) kind() kind     { return kindXattrSize }
func (*WriteXattr) kind() kind    { return kindWriteXattr }
func (*Flags) kind() kind         { return kindFlags }
func (*FlagsAnswer) kind() kind   { return kindFlagsAnswer }
func (*Error) kind() kind         { return kindError }
func (*Ack) kind() kind           { return kindAck }
func (*Goodbye) kind() kind       { return kindGoodbye }
func (*Resume) kind() kind        { return kindResume }
func (*Resumed) kind() kind       { return kindResumed }
func (*Count) kind() kind         { return kindCount }
func (*Counted) kind() kind       { return kindCounted }
