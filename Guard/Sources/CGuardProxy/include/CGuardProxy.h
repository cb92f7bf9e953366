// SPDX-License-Identifier: Apache-2.0
//
// What the proxy of `zamok guard` needs of the kernel.

#ifndef C_GUARD_PROXY_H
#define C_GUARD_PROXY_H

#include <stddef.h>
#include <stdint.h>

/// Ends this process with its parent, writes no core files and keeps its memory from other processes of the user. 0, or
/// a negated errno: also if `parent` has ended already.
int guard_proxy_harden(int parent);
/// Receives as many descriptors as `count`, close-on-exec, with one byte. 0, or a negated errno.
int guard_proxy_receive_files(int socket, int files[], int count);
/// Sends all of it; a closed peer is -EPIPE and no signal.
int guard_proxy_send(int socket, const void *bytes, size_t count);
/// Receives exactly `count` bytes. The peer's end is -EPIPE.
int guard_proxy_receive(int socket, void *bytes, size_t count);
/// Of each: 4 or 16 as the size of its address; 1 if there is a mask; 16 bytes of address, 16 of mask.
#define GUARD_PROXY_NETWORK_SIZE 34
/// Writes the networks of this machine's interfaces. Their number, or a negated errno: -E2BIG if there are more.
int guard_proxy_networks(unsigned char *bytes, int most);
/// The next position from `from` on at which a secret may begin; the last three are. `tables`, of GUARD_PROXY_TABLES bytes:
/// for each of the first three bytes of the patterns, and for breaks and escapes, 16 bytes by a byte's lower half and 16
/// by its upper one; then the bits of breaks, of escapes, and of escapes with which a pattern may begin. `pairs`: 65,536
/// bits for the first two bytes, and as many for the next two.
#define GUARD_PROXY_TABLES 131
#define GUARD_PROXY_PAIRS (2 << 13)
size_t guard_proxy_candidate(const unsigned char *tables, const unsigned char *pairs, const unsigned char *bytes,
                             size_t from, size_t count);
/// Overwrites bytes in a way that is never left out.
void guard_proxy_wipe(void *bytes, size_t count);

/// The counters of a home at a descriptor (Documentation/Formats/Keybag.md, `generation`), mapped to read. NULL: there
/// are none.
const void *guard_proxy_counters(int file);
/// Waits until the lock count or the leave count differs from `seen`, and puts the present ones there.
void guard_proxy_wait_for_lock(const void *counters, uint64_t seen[2]);
/// How often the keychain was changed: differs after each change.
uint64_t guard_proxy_changes(const void *counters);
/// Follows counters whose file is replaced: maps the file of that name in the folder in place of `file`, at the same
/// address, and wakes who waits for a lock. Returns only if nothing can be watched, with a negated errno.
int guard_proxy_follow_counters(int folder, int file, const void *counters);

#endif
