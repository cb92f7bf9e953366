// SPDX-License-Identifier: Apache-2.0

/// The class of an item; the raw value is Apple's word for it.
public enum ItemClass: String, Hashable, Sendable, CaseIterable {
    case genericPassword = "genp"
    case internetPassword = "inet"
    case certificate = "cert"
    case key = "keys"
    case identity = "idnt"
}
