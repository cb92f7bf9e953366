// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_SYS_TYPES_H
#define STANDIN_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
#include <Availability.h>
typedef long ssize_t;
typedef int64_t off_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef uint32_t id_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef unsigned int useconds_t;
typedef unsigned long clock_t;
typedef uint8_t u_char;
typedef uint16_t u_short;
typedef unsigned int u_int;
typedef uint32_t u_int32_t;
typedef struct standin_pthread *pthread_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
#endif
