package localfs

import "psync/internal/vfs"

// caps are what is offered here. To ask for holes has lost data: APFS answers from what has reached the
// disk. F_PUNCHHOLE is for whole blocks only.
const caps = vfs.CanPreallocate | vfs.CanSync | vfs.CanNode | vfs.CanLongXattr |
	vfs.CanFollow | vfs.CanConfine | vfs.CanOpenParent | vfs.CanRewrite | vfs.CanOpenCreate |
	vfs.CanMknod | vfs.CanLink | vfs.CanMove | vfs.CanSyncVolume | vfs.CanCloneFile
