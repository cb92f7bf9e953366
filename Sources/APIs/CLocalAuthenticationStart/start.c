// SPDX-License-Identifier: Apache-2.0

// No header of this one is for anybody: it only links the module LocalAuthenticationEngine into a program, and starts it before main, so that
// LocalAuthentication needs neither its module nor its C modules to be loaded. On Apple's systems both are empty.
#ifndef __APPLE__
extern void zamok_localauthentication_start(void);

__attribute__((constructor)) static void start(void) { zamok_localauthentication_start(); }
#endif
