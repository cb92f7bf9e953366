// SPDX-License-Identifier: Apache-2.0
#define assert(e) ((void)(e))
