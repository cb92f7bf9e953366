// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine

/// What a backup or its restoration held.
public struct UserBackup: Sendable, Equatable {
    /// Keychain items, and which ones were left out and why: those that are bound to this device never leave it.
    public internal(set) var items = KeychainTransfer()
    /// How many preferences.
    public internal(set) var preferences = 0
    /// How many protected files.
    public internal(set) var files = 0
    /// Preferences and files that were left out: damaged, locked, or plaintext files.
    public internal(set) var leftOut = 0
    /// Files outside of the user's home, which are no part of a backup; empty where files were not asked for, and of a restoration.
    public internal(set) var filesElsewhere: [FilesElsewhere] = []

    /// Whether all was written or restored that can be: what is bound to the device or asks for the person never leaves it.
    public var isWhole: Bool { leftOut == 0 && filesElsewhere.isEmpty && items.isWhole }
}

/// How far a backup or a restoration is.
public struct UserBackupProgress: Sendable, Equatable {
    /// What is being worked on; more may be added.
    public enum Part: Sendable {
        case keychain, preferences, files
    }
    /// What is being worked on.
    public let part: Part
    /// How many of it are done.
    public let done: Int
    /// How many there are; nil: not known yet.
    public let total: Int?
}
