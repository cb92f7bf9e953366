// SPDX-License-Identifier: Apache-2.0
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 4
#define RTLD_GLOBAL 8
#define RTLD_NODELETE 0x80
#define RTLD_DEFAULT ((void *)-2)
void *dlopen(const char *, int);
void *dlsym(void *, const char *);
int dlclose(void *);
char *dlerror(void);
