// SPDX-License-Identifier: Apache-2.0
char *setlocale(int, const char *);
