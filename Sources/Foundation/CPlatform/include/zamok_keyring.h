// SPDX-License-Identifier: Apache-2.0
//
// The kernel's key service: thin calls, see keyctl(2), add_key(2), keyrings(7). A serial number is positive; a failure is
// the negated errno; where the kernel has no such service, or a sandbox forbids it: -ENOSYS, -EPERM or -EACCES.

#ifndef ZAMOK_KEYRING_H
#define ZAMOK_KEYRING_H

#include <stddef.h>
#include <stdint.h>

/// Names of keyrings that the kernel resolves for the caller.
static const int32_t ZAMOK_KEYRING_THREAD = -1;
static const int32_t ZAMOK_KEYRING_PROCESS = -2;
static const int32_t ZAMOK_KEYRING_SESSION = -3;
static const int32_t ZAMOK_KEYRING_USER = -4;
static const int32_t ZAMOK_KEYRING_USER_SESSION = -5;

/// Permission bits as `zamok_key_set_permissions` takes them: shifted left by 24 for who possesses the key, 16 for the
/// user, 8 for the group, 0 for others.
static const uint32_t ZAMOK_KEY_VIEW = 0x01;
static const uint32_t ZAMOK_KEY_READ = 0x02;
static const uint32_t ZAMOK_KEY_WRITE = 0x04;
static const uint32_t ZAMOK_KEY_SEARCH = 0x08;
static const uint32_t ZAMOK_KEY_LINK = 0x10;
static const uint32_t ZAMOK_KEY_SETATTR = 0x20;
static const uint32_t ZAMOK_KEY_ALL = 0x3f;

/// Creates a key of type "user" (or "keyring" with no payload) in `keyring`, or updates the one of that description.
int32_t zamok_key_add(const char *type, const char *description, const void *payload, size_t count, int32_t keyring);
/// The serial of the key found in `keyring` or below; linked to `destination` unless that is 0. -ENOKEY: there is none.
/// -EKEYREVOKED, -EKEYEXPIRED: there was one.
int32_t zamok_key_search(int32_t keyring, const char *type, const char *description, int32_t destination);
/// Copies at most `capacity` bytes of the payload; answers the whole payload's size, which may be more.
int64_t zamok_key_read(int32_t key, void *bytes, size_t capacity);
/// "type;uid;gid;perm;description" with its zero byte; answers the whole text's size, which may be more than `capacity`.
int64_t zamok_key_describe(int32_t key, char *text, size_t capacity);
/// Replaces the payload.
/// From here on every use of the key by anyone fails with -EKEYREVOKED, and the kernel frees the payload.
int32_t zamok_key_revoke(int32_t key);
int32_t zamok_key_set_permissions(int32_t key, uint32_t permissions);
int32_t zamok_key_link(int32_t key, int32_t keyring);
int32_t zamok_key_unlink(int32_t key, int32_t keyring);
/// Seconds of wall clock until the key expires; 0 = never.
int32_t zamok_key_set_timeout(int32_t key, uint32_t seconds);
/// The serial of a keyring that `keyring` names; made if it doesn't exist and `create` isn't 0.
int32_t zamok_keyring_serial(int32_t keyring, int create);
/// Whether this errno says that a key is not there, or no longer; 0 where no such errno exists.
int zamok_keyring_is_absence(int number);
/// Gives this process a new session keyring of its own, without a name.
int32_t zamok_keyring_join_session(void);

#endif
