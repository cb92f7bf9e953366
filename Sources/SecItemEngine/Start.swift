// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import SecItem

// Called before `main`, by CSecItemStart.
#if compiler(>=6.3)
@c(zamok_secitem_start)
func start() { CurrentEngine.enter(KeychainEngine()) }
#else
@_cdecl("zamok_secitem_start")
func start() { CurrentEngine.enter(KeychainEngine()) }
#endif
#endif
