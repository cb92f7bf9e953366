// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_SYS_MOUNT_H
#define STANDIN_SYS_MOUNT_H
#include <sys/types.h>
typedef struct { int32_t val[2]; } fsid_t;
#define MNT_LOCAL 0x00001000
#define MNT_RDONLY 0x00000001
struct statfs {
    uint32_t f_bsize; int32_t f_iosize; uint64_t f_blocks, f_bfree, f_bavail, f_files, f_ffree; fsid_t f_fsid; uid_t f_owner; uint32_t f_type, f_flags,
        f_fssubtype; char f_fstypename[16], f_mntonname[1024], f_mntfromname[1024]; uint32_t f_flags_ext, f_reserved[7];
};
int statfs(const char *, struct statfs *);
int fstatfs(int, struct statfs *);
#endif
