// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_STDLIB_H
#define STANDIN_STDLIB_H
#include <sys/types.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
void abort(void) __attribute__((noreturn));
int atexit(void (*)(void));
int atoi(const char *);
void *calloc(size_t, size_t);
void exit(int) __attribute__((noreturn));
void free(void *);
char *getenv(const char *);
void *malloc(size_t);
int posix_memalign(void **, size_t, size_t);
void *realloc(void *, size_t);
char *realpath(const char *, char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
double strtod(const char *, char **);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
int mkstemp(char *);
char *mkdtemp(char *);
int posix_openpt(int);
int grantpt(int);
int unlockpt(int);
char *ptsname(int);
uint32_t arc4random(void);
void arc4random_buf(void *, size_t);
const char *getprogname(void);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
#endif
