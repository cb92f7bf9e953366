// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_STRING_H
#define STANDIN_STRING_H
#include <sys/types.h>
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
// C11 annex K; macOS 10.9, iOS 7.
int memset_s(void *, size_t, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
char *strcpy(char *, const char *);
char *strdup(const char *);
char *strerror(int);
int strerror_r(int, char *, size_t);
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);
size_t strlen(const char *);
int strncmp(const char *, const char *, size_t);
char *strncpy(char *, const char *, size_t);
size_t strnlen(const char *, size_t);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strsignal(int);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strtok_r(char *, const char *, char **);
int strcasecmp(const char *, const char *);
#endif
