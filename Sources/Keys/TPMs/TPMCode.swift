// SPDX-License-Identifier: Apache-2.0

/// The TPM 2.0 constants (Library, Part 2: Structures) that this module uses.
enum TPMCode {
    // Tags.
    static let withoutSessions: UInt16 = 0x8001
    static let withSessions: UInt16 = 0x8002
    /// TPM_ST_HASHCHECK: the tag of a ticket for a digest that the TPM computed.
    static let ticketOfDigest: UInt16 = 0x8024
    static let header = 10
    /// The size of the response buffer: more than any expected response. A TPM's own limit is 4096.
    static let largest = 4096

    // Handles.
    static let owner: UInt32 = 0x4000_0001
    static let null: UInt32 = 0x4000_0007
    static let password: UInt32 = 0x4000_0009
    static let lockoutHierarchy: UInt32 = 0x4000_000A
    static let endorsement: UInt32 = 0x4000_000B
    /// The persistent handle of the storage root key, if the system provisioned one.
    static let storageRoot: UInt32 = 0x8100_0001
    static let transients: UInt32 = 0x8000_0000
    /// The first handle in the list of loaded sessions, and in that of saved sessions. In both lists an HMAC
    /// session's handle begins with the first value. A policy session's begins with the second (TPM 2.0 Library, Part
    /// 3, TPM2_GetCapability).
    static let loadedSessions: UInt32 = 0x0200_0000
    static let savedSessions: UInt32 = 0x0300_0000
    /// The first of the 2^22 NV indices that belong to the owner.
    static let ownersIndices: UInt32 = 0x0180_0000

    // Algorithms.
    static let aes: UInt16 = 0x0006
    static let keyedHash: UInt16 = 0x0008
    static let xor: UInt16 = 0x000A
    static let sha256: UInt16 = 0x000B
    static let nothing: UInt16 = 0x0010
    static let ecdsa: UInt16 = 0x0018
    static let ecc: UInt16 = 0x0023
    static let cfb: UInt16 = 0x0043
    static let p256: UInt16 = 0x0003

    // Properties (TPM2_GetCapability).
    static let listOfHandles: UInt32 = 1
    static let listOfProperties: UInt32 = 6
    static let permanent: UInt32 = 0x200
    static let failedTries: UInt32 = 0x20E
    static let mostTries: UInt32 = 0x20F
    static let secondsForATry: UInt32 = 0x210

    // Response codes.
    /// TPM_RC_AUTH_FAIL: a wrong authorization of an entity with dictionary-attack protection.
    static let wrongAuthorization: UInt32 = 0x08E
    /// TPM_RC_BAD_AUTH: a wrong authorization of an entity without it.
    static let wrongHierarchyAuthorization: UInt32 = 0x0A2
    static let policyFailed: UInt32 = 0x09D
    static let integrity: UInt32 = 0x09F
    static let pcrChanged: UInt32 = 0x128
    static let lockout: UInt32 = 0x921
    /// TPM_RC_POLICY: a comparison in a policy is false.
    static let comparisonFailed: UInt32 = 0x126
    /// TPM_RC_HANDLE: no NV index has this handle.
    static let noSuchHandle: UInt32 = 0x08B
    static let noRoomForIndex: UInt32 = 0x14B
    static let indexExists: UInt32 = 0x14C
    /// YIELDED, TESTING, NV_RATE, RETRY: send the same command again.
    static let again: [UInt32] = [0x908, 0x90A, 0x920, 0x922]
    /// No memory for an object or a session, or no session handle is assignable until the oldest saved session is
    /// gone (CONTEXT_GAP).
    static func isFull(_ code: UInt32) -> Bool { (0x901...0x906).contains(code) }
}

/// The TPM_CC command codes.
enum TPMCommand: UInt32 {
    case undefineSpace = 0x122
    case hierarchyChangeAuth = 0x129
    case defineSpace = 0x12A
    case createPrimary = 0x131
    case increment = 0x134
    case dictionaryAttackLockReset = 0x139
    case dictionaryAttackParameters = 0x13A
    case policyNV = 0x149
    case readIndex = 0x14E
    case create = 0x153
    case exchange = 0x154
    case load = 0x157
    case sign = 0x15D
    case unseal = 0x15E
    case flushContext = 0x165
    case readIndexPublic = 0x169
    case policyAuthValue = 0x16B
    case readPublic = 0x173
    case startAuthSession = 0x176
    case getCapability = 0x17A
    case policyPCR = 0x17F
    case policyGetDigest = 0x189
}

/// TPMA_OBJECT: the attributes of an object.
struct ObjectAttributes: OptionSet {
    let rawValue: UInt32
    static let fixedTPM = ObjectAttributes(rawValue: 1 << 1)
    static let fixedParent = ObjectAttributes(rawValue: 1 << 4)
    static let sensitiveDataOrigin = ObjectAttributes(rawValue: 1 << 5)
    static let userWithAuth = ObjectAttributes(rawValue: 1 << 6)
    static let noDA = ObjectAttributes(rawValue: 1 << 10)
    static let restricted = ObjectAttributes(rawValue: 1 << 16)
    static let decrypt = ObjectAttributes(rawValue: 1 << 17)
    static let sign = ObjectAttributes(rawValue: 1 << 18)
}

/// TPMA_SESSION: how one command uses a session.
struct SessionUse: OptionSet {
    let rawValue: UInt8
    static let goesOn = SessionUse(rawValue: 0x01)
    static let hidesCommand = SessionUse(rawValue: 0x20)
    static let hidesAnswer = SessionUse(rawValue: 0x40)
}
