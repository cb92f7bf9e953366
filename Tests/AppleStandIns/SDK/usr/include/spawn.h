// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_SPAWN_H
#define STANDIN_SPAWN_H
#include <sys/types.h>
#include <signal.h>
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_SETSID 0x0400
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
// spawn.h: __API_AVAILABLE(macos(10.5), ios(2.0)) __API_UNAVAILABLE(watchos, tvos) at each of these.
#define STANDIN_SPAWN API_AVAILABLE(macos(10.5), ios(2.0)) API_UNAVAILABLE(watchos, tvos)
int posix_spawn(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
    char *const[]) STANDIN_SPAWN;
int posix_spawnp(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
    char *const[]) STANDIN_SPAWN;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *) STANDIN_SPAWN;
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *) STANDIN_SPAWN;
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int) STANDIN_SPAWN;
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *, int) STANDIN_SPAWN;
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *, int, const char *, int, mode_t) STANDIN_SPAWN;
int posix_spawn_file_actions_addinherit_np(posix_spawn_file_actions_t *, int) STANDIN_SPAWN;
int posix_spawnattr_init(posix_spawnattr_t *) STANDIN_SPAWN;
int posix_spawnattr_destroy(posix_spawnattr_t *) STANDIN_SPAWN;
int posix_spawnattr_setflags(posix_spawnattr_t *, short) STANDIN_SPAWN;
int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t) STANDIN_SPAWN;
int posix_spawnattr_setsigdefault(posix_spawnattr_t *, const sigset_t *) STANDIN_SPAWN;
int posix_spawnattr_setsigmask(posix_spawnattr_t *, const sigset_t *) STANDIN_SPAWN;
#endif
