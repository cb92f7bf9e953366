// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_SYS_WAIT_H
#define STANDIN_SYS_WAIT_H
#include <sys/types.h>
#define WNOHANG 1
#define WUNTRACED 2
#define WCONTINUED 0x10
#define WIFEXITED(x) (((x) & 0177) == 0)
#define WEXITSTATUS(x) (((x) >> 8) & 0xff)
#define WIFSTOPPED(x) (((x) & 0177) == 0177 && ((x) >> 8) != 0x13)
#define WSTOPSIG(x) ((x) >> 8)
#define WIFSIGNALED(x) (((x) & 0177) != 0177 && ((x) & 0177) != 0)
#define WTERMSIG(x) ((x) & 0177)
#define WIFCONTINUED(x) (((x) & 0177) == 0177 && ((x) >> 8) == 0x13)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#endif
