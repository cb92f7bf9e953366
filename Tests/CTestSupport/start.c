// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A list as exec wants it, of texts with a zero byte behind each.
static char **list(const char *texts, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++) count += texts[i] == 0;
    char **found = calloc(count + 1, sizeof *found);
    if (!found) return NULL;
    for (size_t i = 0; i < count; i++) {
        found[i] = (char *)texts;
        texts += strlen(texts) + 1;
    }
    return found;
}

static int spawn(pid_t *process, const char *path, char **arguments, char **environment, int input, int output) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    // What another test has open at this moment is not for this program: Foundation opens files without O_CLOEXEC, and a file
    // that a child keeps open for writing is in use.
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
#endif
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn(process, path, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return -error;
}

int32_t tools_start(
    const char *path, const char *arguments, size_t arguments_size, const char *environment, size_t environment_size,
    int *input, int *output) {
    // Writing to a program that has ended is an error here, not the end of the tests.
    signal(SIGPIPE, SIG_IGN);
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) < 0) return -errno;
    if (pipe2(from, O_CLOEXEC) < 0) {
        int error = errno;
        close(to[0]);
        close(to[1]);
        return -error;
    }
    char **words = list(arguments, arguments_size), **variables = list(environment, environment_size);
    pid_t process = 0;
    int result = words && variables ? spawn(&process, path, words, variables, to[0], from[1]) : -ENOMEM;
    free(words);
    free(variables);
    close(to[0]);
    close(from[1]);
    if (result == 0) {
        *input = to[1];
        *output = from[0];
        return process;
    }
    close(to[1]);
    close(from[0]);
    return result;
}
