// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import LocalAuthentication

// Called before `main`, by CLocalAuthenticationStart.
@c(zamok_localauthentication_start)
func start() { ContextMaker.enter { AuthenticationContent() } }
#endif
