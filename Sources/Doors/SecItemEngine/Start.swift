// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import SecItem

// Called before `main`, by CSecItemStart.
#if compiler(>=6.3)
@c(zamok_secitem_start)
func start() { CurrentEngine.enter(ItemEngine()) }
#else
@_cdecl("zamok_secitem_start")
func start() { CurrentEngine.enter(ItemEngine()) }
#endif
#endif
