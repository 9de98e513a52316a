package vfs

// A Space is how much room a volume has for the user, or for the user's quota where the system says so.
type Space struct {
	Free      int64 // bytes that may still be allocated
	Reserved  int64 // bytes that root may allocate besides
	BlockSize int64 // bytes that are allocated at once; at least 1
	// Plain says that contents take as many bytes as they are, but for holes and clones. Other volumes may compress them.
	Plain bool
	// Inodes is how many entries may still be made. LimitsInodes is false if the volume makes inodes as they are needed,
	// or cannot tell.
	Inodes       int64
	LimitsInodes bool
}
