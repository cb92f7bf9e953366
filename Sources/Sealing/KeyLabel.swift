// SPDX-License-Identifier: Apache-2.0

/// What a derived key is for. One key, one purpose, one label; all of them stand here so that none is used twice.
package struct KeyLabel: Hashable, Sendable {
    package let text: String

    private init(_ text: String) { self.text = text }

    /// Label, a zero byte, then the context: no label is a prefix of another with its context.
    func info(_ context: [UInt8]) -> [UInt8] { Array(text.utf8) + [0] + context }

    // Keybag (Documentation/Formats/Keybag.md)
    package static let deviceRoot = KeyLabel("zamok/1 device root")
    package static let passcodeRoot = KeyLabel("zamok/1 passcode root")
    package static let keybagAuthentication = KeyLabel("zamok/1 keybag authentication")
    package static let classKeyWrapping = KeyLabel("zamok/1 class key wrapping")
    package static let attemptsAuthentication = KeyLabel("zamok/1 attempts authentication")
    package static let accessControlWrapping = KeyLabel("zamok/1 access control wrapping")
    package static let metadata = KeyLabel("zamok/1 metadata")

    // Databases (Documentation/Formats/Keychain.md)
    package static let blindIndex = KeyLabel("zamok/1 blind index")
    package static let identityTag = KeyLabel("zamok/1 identity tag")
    package static let rowAttributes = KeyLabel("zamok/1 row attributes")
    package static let databaseState = KeyLabel("zamok/1 database state")

    // Export (Documentation/Formats/Export.md)
    package static let export = KeyLabel("zamok/1 export")

    /// Every label, for the test that none repeats.
    package static let all: [KeyLabel] = [
        .deviceRoot, .passcodeRoot, .keybagAuthentication, .classKeyWrapping, .attemptsAuthentication,
        .accessControlWrapping, .metadata, .blindIndex, .identityTag, .rowAttributes, .databaseState, .export,
    ]
}
