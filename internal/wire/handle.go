package wire

// A Handle stands for an open directory or file of the server. The client chooses it, and may use it in requests
// before it knows whether opening has succeeded: these wait, and fail with the error of opening. 0 is none.
type Handle uint64

// A Target is an entry: that called Name in the directory Dir, the directory itself if Name is ".", or an open
// file if Name is "" and Dir is the handle of the file.
type Target struct {
	Dir  Handle
	Name string
}
