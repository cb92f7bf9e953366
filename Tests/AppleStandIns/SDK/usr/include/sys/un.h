// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#define SOL_LOCAL 0
#define LOCAL_PEERCRED 0x001
#define LOCAL_PEERPID 0x002
struct sockaddr_un { uint8_t sun_len; sa_family_t sun_family; char sun_path[104]; };
