// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_UNISTD_H
#define STANDIN_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define _SC_PAGESIZE 29
#define _SC_OPEN_MAX 5
#define _SC_NPROCESSORS_ONLN 58
#define _SC_GETPW_R_SIZE_MAX 71
#define _POSIX_VDISABLE ((unsigned char)'\377')
extern char **environ;
int access(const char *, int);
int faccessat(int, const char *, int, int) API_AVAILABLE(macos(10.10), ios(8.0));
int chdir(const char *);
int chown(const char *, uid_t, gid_t);
int close(int);
int dup(int);
int dup2(int, int);
// Apple's headers forbid these on tvOS and watchOS: __WATCHOS_PROHIBITED __TVOS_PROHIBITED in unistd.h.
int execv(const char *, char *const *) API_UNAVAILABLE(tvos, watchos);
int execve(const char *, char *const *, char *const *) API_UNAVAILABLE(tvos, watchos);
int execvp(const char *, char *const *) API_UNAVAILABLE(tvos, watchos);
pid_t fork(void) API_UNAVAILABLE(tvos, watchos);
void _exit(int) __attribute__((noreturn));
int fchown(int, uid_t, gid_t);
int fchownat(int, const char *, uid_t, gid_t, int) API_AVAILABLE(macos(10.10), ios(8.0));
int fchdir(int);
int fsync(int);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
char *getcwd(char *, size_t);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int getgroups(int, gid_t[]);
int getpeereid(int, uid_t *, gid_t *);
int getentropy(void *, size_t) API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0));
pid_t getpid(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t getpgid(pid_t);
pid_t getsid(pid_t);
int gethostname(char *, size_t);
char *getlogin(void);
int isatty(int);
int link(const char *, const char *);
int linkat(int, const char *, int, const char *, int) API_AVAILABLE(macos(10.10), ios(8.0));
off_t lseek(int, off_t, int);
int pipe(int[2]);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
ssize_t read(int, void *, size_t);
ssize_t readlink(const char *, char *, size_t);
ssize_t readlinkat(int, const char *, char *, size_t) API_AVAILABLE(macos(10.10), ios(8.0));
int rmdir(const char *);
int setpgid(pid_t, pid_t);
pid_t setsid(void);
unsigned int sleep(unsigned int);
int symlink(const char *, const char *);
int symlinkat(const char *, int, const char *) API_AVAILABLE(macos(10.10), ios(8.0));
long sysconf(int);
pid_t tcgetpgrp(int);
int tcsetpgrp(int, pid_t);
char *ttyname(int);
int ttyname_r(int, char *, size_t);
int unlink(const char *);
int unlinkat(int, const char *, int) API_AVAILABLE(macos(10.10), ios(8.0));
int usleep(useconds_t);
ssize_t write(int, const void *, size_t);
unsigned int alarm(unsigned int);
int pause(void);
#endif
