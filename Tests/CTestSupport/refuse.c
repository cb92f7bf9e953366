// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

int tools_refuse(long number, int index, uint32_t value, int error) {
    size_t argument = offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)(index < 0 ? 0 : index);
    struct sock_filter any[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_filter one[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)argument),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {index < 0 ? sizeof any / sizeof any[0] : sizeof one / sizeof one[0], index < 0 ? any : one};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? -errno : 0;
}

long tools_system_call(const char *name) {
    static const struct {
        const char *name;
        long number;
    } known[] = {
        {"mlock", SYS_mlock},     {"madvise", SYS_madvise}, {"keyctl", SYS_keyctl},
        {"add_key", SYS_add_key}, {"prctl", SYS_prctl},     {"memfd_create", SYS_memfd_create},
        {"fsync", SYS_fsync},     {"fdatasync", SYS_fdatasync}, {"mmap", SYS_mmap},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i].name) == 0) return known[i].number;
    return -1;
}
