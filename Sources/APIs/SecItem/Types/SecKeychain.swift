// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// A file keychain of macOS: the name alone, so that signatures compile.
public final class SecKeychain: NSObject, Sendable {
    override init() {}
}

/// An item of a file keychain of macOS: the name alone.
public final class SecKeychainItem: NSObject, Sendable {
    override init() {}
}

/// An access list of a file keychain of macOS: the name alone.
public final class SecAccess: NSObject, Sendable {
    override init() {}
}
#endif
