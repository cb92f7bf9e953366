// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_STDIO_H
#define STANDIN_STDIO_H
#include <stdarg.h>
#include <sys/types.h>
typedef struct standin_file FILE;
extern FILE *__stdinp;
extern FILE *__stdoutp;
extern FILE *__stderrp;
#define stdin __stdinp
#define stdout __stdoutp
#define stderr __stderrp
#define EOF (-1)
int fclose(FILE *);
int fflush(FILE *);
char *fgets(char *, int, FILE *);
FILE *fopen(const char *, const char *);
FILE *fdopen(int, const char *);
int fprintf(FILE *, const char *, ...);
int fputs(const char *, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fileno(FILE *);
ssize_t getline(char **, size_t *, FILE *);
int printf(const char *, ...);
int putchar(int);
int rename(const char *, const char *);
int renameat(int, const char *, int, const char *) API_AVAILABLE(macos(10.10), ios(8.0));
// rename(2): RENAME_SWAP, RENAME_EXCL.
#define RENAME_SWAP 0x00000002
#define RENAME_EXCL 0x00000004
int renamex_np(const char *, const char *, unsigned int) API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0));
int renameatx_np(int, const char *, int, const char *, unsigned int)
    API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0));
int remove(const char *);
int snprintf(char *, size_t, const char *, ...);
int sscanf(const char *, const char *, ...);
int vsnprintf(char *, size_t, const char *, va_list);
void perror(const char *);
int setvbuf(FILE *, char *, int, size_t);
void flockfile(FILE *);
void funlockfile(FILE *);
#endif
