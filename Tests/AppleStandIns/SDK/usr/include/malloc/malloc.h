// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
size_t malloc_size(const void *);
size_t malloc_good_size(size_t);
