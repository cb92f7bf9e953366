// SPDX-License-Identifier: Apache-2.0
#define PATH_MAX 1024
#define NAME_MAX 255
