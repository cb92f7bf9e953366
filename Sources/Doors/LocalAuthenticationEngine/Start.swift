// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import LocalAuthentication

// Called before `main`, by CLocalAuthenticationStart.
#if compiler(>=6.3)
@c(zamok_localauthentication_start)
func start() { ContextMaker.enter { AuthenticationContent() } }
#else
@_cdecl("zamok_localauthentication_start")
func start() { ContextMaker.enter { AuthenticationContent() } }
#endif
#endif
