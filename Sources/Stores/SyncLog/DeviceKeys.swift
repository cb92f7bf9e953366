// SPDX-License-Identifier: Apache-2.0

public import Crypto
import Sealing
public import SyncMerge

/// The public keys of a device: 3,712 bytes.
public struct DeviceRecord: Hashable, Sendable {
    static let size = 64 + 3 * sealingKey
    static let sealingKey = 1216

    /// The bytes, in the format's encoding.
    public let bytes: [UInt8]
    let verifying: P256.Signing.PublicKey

    /// Reads a record; its signing key must be a point of the curve.
    public init(_ bytes: [UInt8]) throws(SyncLogError) {
        guard bytes.count == Self.size, let key = try? P256.Signing.PublicKey(rawRepresentation: bytes.prefix(64))
        else {
            throw .malformed("not a device's keys")
        }
        self.bytes = bytes
        verifying = key
    }

    var verifyingDigest: Digest32 { Array(SHA256.hash(data: bytes.prefix(64))) }

    /// Whether each of its keys can be sealed to, by trying. A key that can't be would block every later epoch, even
    /// the one that removes its device.
    var canBeSealedTo: Bool {
        TravellingClass.allCases.allSatisfy { (try? XWing.seal([], to: sealing($0), info: [])) != nil }
    }

    func sealing(_ protectionClass: TravellingClass) -> ArraySlice<UInt8> {
        let at = 64 + Self.sealingKey * protectionClass.position
        return bytes[at..<at + Self.sealingKey]
    }

    /// Compares the bytes.
    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension TravellingClass {
    var position: Int {
        switch self {
        case .complete: 0
        case .completeUntilFirstUserAuthentication: 1
        case .none: 2
        }
    }
}

/// The private keys of this device, without those of locked classes.
public struct DeviceKeys: Sendable, CustomStringConvertible, CustomReflectable {
    /// Contains no key.
    public var description: String { "DeviceKeys" }

    /// Empty: these are private keys.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Signs entries.
    public let signing: P256.Signing.PrivateKey
    /// Open what is sealed to this device; removed while a class is locked.
    public var opening: [TravellingClass: OpeningKey]
    /// The public keys.
    public let record: DeviceRecord

    /// Generates keys with the system's random generator.
    public init() throws {
        try self.init(
            signing: P256.Signing.PrivateKey(),
            opening: Dictionary(uniqueKeysWithValues: TravellingClass.allCases.map { ($0, try OpeningKey()) }))
    }

    /// Stored keys, of all three classes.
    public init(
        signing: P256.Signing.PrivateKey, opening: [TravellingClass: OpeningKey]
    ) throws {
        var bytes = Array(signing.publicKey.rawRepresentation)
        for protectionClass in TravellingClass.allCases {
            guard let key = opening[protectionClass] else { throw SyncLogError(.locked, "a class has no key") }
            bytes += key.publicKey
        }
        self.signing = signing
        self.opening = opening
        record = try DeviceRecord(bytes)
    }

    /// Stored keys, of the unlocked classes.
    public init(
        signing: P256.Signing.PrivateKey, opening: [TravellingClass: OpeningKey], record: DeviceRecord
    ) throws(SyncLogError) {
        guard Array(signing.publicKey.rawRepresentation) == Array(record.bytes.prefix(64)),
            opening.allSatisfy({ Array(record.sealing($0.key)) == $0.value.publicKey })
        else { throw SyncLogError(.wrongKey, "this device's keys are not those of its record") }
        self.signing = signing
        self.opening = opening
        self.record = record
    }

    func sign(_ label: KeyLabel, _ message: [UInt8]) throws -> [UInt8] {
        Array(try signing.signature(for: label.info(message)).rawRepresentation)
    }
}

extension P256.Signing.PublicKey {
    func verifies(_ signature: [UInt8], _ label: KeyLabel, _ message: [UInt8]) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return isValidSignature(signature, for: label.info(message))
    }
}
