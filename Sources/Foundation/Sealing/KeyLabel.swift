// SPDX-License-Identifier: Apache-2.0

/// The purpose of a derived key, a signature or a digest. One key, one purpose, one label: all labels are here, and the
/// compiler refuses a duplicate.
package enum KeyLabel: String, CaseIterable, Sendable {
    // Documentation/Formats/DeviceSecret.md
    case deviceSecretCheck = "zamok/1 device secret check"
    case deviceSecretCode = "zamok/1 device secret code"
    case formerDeviceSecret = "zamok/1 former device secret"
    case tpmCounter = "zamok/1 chip counter"
    case freshness = "zamok/1 freshness"
    case recoveryKey = "zamok/1 recovery key"
    case recoverySeal = "zamok/1 recovery seal"

    // Documentation/Formats/Keybag.md
    case deviceRoot = "zamok/1 device root"
    case passcodeRoot = "zamok/1 passcode root"
    case keybagAuthentication = "zamok/1 keybag authentication"
    case keybagPerson = "zamok/1 keybag person"
    case keyCheck = "zamok/1 key check"
    case classKeyWrapping = "zamok/1 class key wrapping"
    case classKeyPairWrapping = "zamok/1 class key pair wrapping"
    case authenticityKeyWrapping = "zamok/1 authenticity key wrapping"
    case metadataKeyWrapping = "zamok/1 metadata key wrapping"
    case accessControlWrapping = "zamok/1 access control wrapping"
    case passcodeForTPM = "zamok/1 passcode for the chip"
    case passcodeRecoverySeal = "zamok/1 recovery seal of a passcode's value"
    case attemptsAuthentication = "zamok/1 attempts authentication"
    case handOver = "zamok/1 hand over"
    case completeUnlessOpen = "zamok/1 complete unless open"
    case accessControl = "zamok/1 access control"

    // Databases (Documentation/Formats/Keychain.md)
    case blindIndex = "zamok/1 blind index"
    case identityTag = "zamok/1 identity tag"
    case rowAttributes = "zamok/1 row attributes"
    case databaseState = "zamok/1 database state"
    case rowSum = "zamok/1 row sum"
    case storeRecord = "zamok/1 store record"
    case applicationPassword = "zamok/1 application password"

    // Documentation/Formats/AccessLog.md
    case accessLogSegment = "zamok/1 access log segment"
    case accessLogHeader = "zamok/1 access log header"
    case accessLogLines = "zamok/1 access log lines"
    case accessLogStep = "zamok/1 access log step"
    case accessLogLine = "zamok/1 access log line"
    case accessLogTail = "zamok/1 access log tail"
    case accessLogSettings = "zamok/1 access log settings"
    case accessLogContent = "zamok/1 access log content"

    // Documentation/Formats/Preferences.md
    case preferenceIndex = "zamok/1 preference index"
    case preferenceRow = "zamok/1 preference row"

    // Documentation/Formats/Users.md
    case userDirectory = "zamok/1 user directory"
    case userMark = "zamok/1 user mark"
    case currentUser = "zamok/1 current user"

    // Documentation/Formats/ProtectedFile.md
    case knownFolders = "zamok/1 known folders"
    case fileKeys = "zamok/1 file keys"
    case fileChunk = "zamok/1 file chunk"
    case fileAccess = "zamok/1 file access"

    // Documentation/Formats/Export.md
    case export = "zamok/1 export"

    // Documentation/Formats/SyncLog.md
    case syncEntry = "zamok/1 sync entry"
    case syncHash = "zamok/1 sync hash"
    case syncOversize = "zamok/1 sync oversize"
    case syncKeyCheck = "zamok/1 sync key check"
    case syncEpochKeys = "zamok/1 sync epoch keys"
    case syncBody = "zamok/1 sync body"
    case syncRekey = "zamok/1 sync rekey"
    case syncApplication = "zamok/1 sync application"
    case syncHead = "zamok/1 sync head"
    case syncCommitment = "zamok/1 sync commitment"
    case syncWords = "zamok/1 sync words"
    case syncState = "zamok/1 sync state"
    case syncHeadWords = "zamok/1 sync head words"
    case syncChunkSalt = "zamok/1 sync chunk salt"
    case syncRecoveryCode = "zamok/1 sync recovery code"

    // Documentation/Formats/SharedGroup.md
    case groupStatement = "zamok/1 group statement"
    case groupHash = "zamok/1 group hash"
    case groupHandshake = "zamok/1 group hand-shake"

    package var text: String { rawValue }

    /// Label, a zero byte, then the context: no label is a prefix of another label with its context.
    package func info(_ context: [UInt8] = []) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        writer.append(text.utf8)
        writer.integer(UInt8(0))
        writer.append(context)
        return writer.bytes
    }
}
