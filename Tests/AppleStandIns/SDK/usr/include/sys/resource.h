// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_SYS_RESOURCE_H
#define STANDIN_SYS_RESOURCE_H
#include <sys/types.h>
typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur, rlim_max; };
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss, ru_pad[13]; };
#define RLIM_INFINITY (((uint64_t)1 << 63) - 1)
#define RLIMIT_CORE 4
#define RLIMIT_MEMLOCK 6
#define RLIMIT_NOFILE 8
#define RUSAGE_SELF 0
#define PRIO_PROCESS 0
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
int getrusage(int, struct rusage *);
int setpriority(int, id_t, int);
#endif
