// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_DIRENT_H
#define STANDIN_DIRENT_H
#include <sys/types.h>
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
struct dirent { ino_t d_ino; uint64_t d_seekoff; uint16_t d_reclen; uint16_t d_namlen; uint8_t d_type; char d_name[1024]; };
typedef struct standin_dir DIR;
DIR *opendir(const char *);
DIR *fdopendir(int) API_AVAILABLE(macos(10.10), ios(8.0));
struct dirent *readdir(DIR *);
int closedir(DIR *);
int dirfd(DIR *);
void rewinddir(DIR *);
#endif
