// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"

#if __linux__
#include <linux/keyctl.h>
#include <sys/syscall.h>

static long answer(long result) { return result < 0 ? -errno : result; }

static long control(int operation, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
    return answer(syscall(SYS_keyctl, operation, a, b, c, d));
}

int32_t zamok_key_add(const char *type, const char *description, const void *payload, size_t count, int32_t keyring) {
    return (int32_t)answer(syscall(SYS_add_key, type, description, payload, count, keyring));
}

int32_t zamok_key_search(int32_t keyring, const char *type, const char *description, int32_t destination) {
    return (int32_t)control(
        KEYCTL_SEARCH, (unsigned long)keyring, (unsigned long)type, (unsigned long)description, (unsigned long)destination);
}

int64_t zamok_key_read(int32_t key, void *bytes, size_t capacity) {
    return control(KEYCTL_READ, (unsigned long)key, (unsigned long)bytes, capacity, 0);
}

int64_t zamok_key_describe(int32_t key, char *text, size_t capacity) {
    return control(KEYCTL_DESCRIBE, (unsigned long)key, (unsigned long)text, capacity, 0);
}

int32_t zamok_key_revoke(int32_t key) { return (int32_t)control(KEYCTL_REVOKE, (unsigned long)key, 0, 0, 0); }

int32_t zamok_key_set_permissions(int32_t key, uint32_t permissions) {
    return (int32_t)control(KEYCTL_SETPERM, (unsigned long)key, permissions, 0, 0);
}

int32_t zamok_key_link(int32_t key, int32_t keyring) {
    return (int32_t)control(KEYCTL_LINK, (unsigned long)key, (unsigned long)keyring, 0, 0);
}

int32_t zamok_key_unlink(int32_t key, int32_t keyring) {
    return (int32_t)control(KEYCTL_UNLINK, (unsigned long)key, (unsigned long)keyring, 0, 0);
}

int32_t zamok_key_set_timeout(int32_t key, uint32_t seconds) {
    return (int32_t)control(KEYCTL_SET_TIMEOUT, (unsigned long)key, seconds, 0, 0);
}

int32_t zamok_keyring_serial(int32_t keyring, int create) {
    return (int32_t)control(KEYCTL_GET_KEYRING_ID, (unsigned long)keyring, (unsigned long)create, 0, 0);
}

int32_t zamok_keyring_join_session(void) { return (int32_t)control(KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0); }

int zamok_keyring_is_absence(int number) {
    return number == ENOKEY || number == EKEYREVOKED || number == EKEYEXPIRED;
}

#else

int32_t zamok_key_add(const char *type, const char *description, const void *payload, size_t count, int32_t keyring) {
    return -ENOSYS;
}
int32_t zamok_key_search(int32_t keyring, const char *type, const char *description, int32_t destination) {
    return -ENOSYS;
}
int64_t zamok_key_read(int32_t key, void *bytes, size_t capacity) { return -ENOSYS; }
int64_t zamok_key_describe(int32_t key, char *text, size_t capacity) { return -ENOSYS; }
int32_t zamok_key_revoke(int32_t key) { return -ENOSYS; }
int32_t zamok_key_set_permissions(int32_t key, uint32_t permissions) { return -ENOSYS; }
int32_t zamok_key_link(int32_t key, int32_t keyring) { return -ENOSYS; }
int32_t zamok_key_unlink(int32_t key, int32_t keyring) { return -ENOSYS; }
int32_t zamok_key_set_timeout(int32_t key, uint32_t seconds) { return -ENOSYS; }
int32_t zamok_keyring_serial(int32_t keyring, int create) { return -ENOSYS; }
int32_t zamok_keyring_join_session(void) { return -ENOSYS; }
int zamok_keyring_is_absence(int number) { return 0; }

#endif
