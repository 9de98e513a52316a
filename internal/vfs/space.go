package vfs

// A Space says how much room a volume has for the user, or how much the user's quota leaves if the system reports that.
type Space struct {
	Free      int64 // bytes that may still be allocated
	Reserved  int64 // further bytes that only root may allocate
	BlockSize int64 // bytes in a unit of allocation; at least 1
	// Plain says that contents take as many bytes as they have, apart from holes and clones. Other volumes may compress
	// them.
	Plain bool
	// Inodes is how many entries may still be made. LimitsInodes is false if the volume makes inodes as they are
	// needed, or does not report their number.
	Inodes       int64
	LimitsInodes bool
}
