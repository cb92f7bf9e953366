// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import SecItem

// Called before `main`, by CSecItemStart.
@c(zamok_secitem_start)
func start() { CurrentEngine.enter(ItemEngine()) }
#endif
