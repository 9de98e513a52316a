#include "textflag.h"

// One jump for each function of libSystem, as in x/sys and syscall: Go code
// calls C functions by the address of such a jump.

TEXT closedir_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_closedir(SB)
GLOBL	·closedirAddr(SB), RODATA, $8
DATA	·closedirAddr(SB)/8, $closedir_jump<>(SB)

TEXT fdopendir_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_fdopendir(SB)
GLOBL	·fdopendirAddr(SB), RODATA, $8
DATA	·fdopendirAddr(SB)/8, $fdopendir_jump<>(SB)

TEXT fgetattrlist_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_fgetattrlist(SB)
GLOBL	·fgetattrlistAddr(SB), RODATA, $8
DATA	·fgetattrlistAddr(SB)/8, $fgetattrlist_jump<>(SB)

TEXT fgetxattr_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_fgetxattr(SB)
GLOBL	·fgetxattrAddr(SB), RODATA, $8
DATA	·fgetxattrAddr(SB)/8, $fgetxattr_jump<>(SB)

TEXT fsetattrlist_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_fsetattrlist(SB)
GLOBL	·fsetattrlistAddr(SB), RODATA, $8
DATA	·fsetattrlistAddr(SB)/8, $fsetattrlist_jump<>(SB)

TEXT fsetxattr_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_fsetxattr(SB)
GLOBL	·fsetxattrAddr(SB), RODATA, $8
DATA	·fsetxattrAddr(SB)/8, $fsetxattr_jump<>(SB)

TEXT futimens_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_futimens(SB)
GLOBL	·futimensAddr(SB), RODATA, $8
DATA	·futimensAddr(SB)/8, $futimens_jump<>(SB)

TEXT getattrlist_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_getattrlist(SB)
GLOBL	·getattrlistAddr(SB), RODATA, $8
DATA	·getattrlistAddr(SB)/8, $getattrlist_jump<>(SB)

TEXT getattrlistat_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_getattrlistat(SB)
GLOBL	·getattrlistatAddr(SB), RODATA, $8
DATA	·getattrlistatAddr(SB)/8, $getattrlistat_jump<>(SB)

TEXT readdir_r_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_readdir_r(SB)
GLOBL	·readdirRAddr(SB), RODATA, $8
DATA	·readdirRAddr(SB)/8, $readdir_r_jump<>(SB)

TEXT setattrlistat_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_setattrlistat(SB)
GLOBL	·setattrlistatAddr(SB), RODATA, $8
DATA	·setattrlistatAddr(SB)/8, $setattrlistat_jump<>(SB)

TEXT setiopolicy_np_jump<>(SB),NOSPLIT,$0-0
	JMP	libc_setiopolicy_np(SB)
GLOBL	·setiopolicyAddr(SB), RODATA, $8
DATA	·setiopolicyAddr(SB)/8, $setiopolicy_np_jump<>(SB)
