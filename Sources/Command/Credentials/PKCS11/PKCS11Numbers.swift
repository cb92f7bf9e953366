// SPDX-License-Identifier: Apache-2.0

/// The error code of a call (CKR_ in OASIS PKCS#11 2.40, section 3.6).
struct PKCS11Failure: Error, Equatable {
    let code: UInt64

    static let slotInvalid = Self(code: 0x03)
    static let generalError = Self(code: 0x05)
    static let functionFailed = Self(code: 0x06)
    static let argumentsBad = Self(code: 0x07)
    static let noEvent = Self(code: 0x08)
    static let attributeSensitive = Self(code: 0x11)
    static let attributeTypeInvalid = Self(code: 0x12)
    static let attributeValueInvalid = Self(code: 0x13)
    static let dataInvalid = Self(code: 0x20)
    static let dataLength = Self(code: 0x21)
    static let deviceError = Self(code: 0x30)
    static let deviceMemory = Self(code: 0x31)
    static let encryptedDataInvalid = Self(code: 0x40)
    static let notSupported = Self(code: 0x54)
    static let keyHandleInvalid = Self(code: 0x60)
    static let keyTypeInconsistent = Self(code: 0x63)
    static let keyFunctionNotPermitted = Self(code: 0x68)
    static let mechanismInvalid = Self(code: 0x70)
    static let mechanismParameterInvalid = Self(code: 0x71)
    static let objectHandleInvalid = Self(code: 0x82)
    static let operationActive = Self(code: 0x90)
    static let operationNotInitialized = Self(code: 0x91)
    static let pinIncorrect = Self(code: 0xA0)
    static let pinLength = Self(code: 0xA2)
    static let pinLocked = Self(code: 0xA4)
    static let sessionCount = Self(code: 0xB1)
    static let sessionInvalid = Self(code: 0xB3)
    static let parallelNotSupported = Self(code: 0xB4)
    static let signatureInvalid = Self(code: 0xC0)
    static let signatureLength = Self(code: 0xC1)
    static let templateIncomplete = Self(code: 0xD0)
    static let templateInconsistent = Self(code: 0xD1)
    static let tokenNotPresent = Self(code: 0xE0)
    static let writeProtected = Self(code: 0xE2)
    static let alreadyLoggedIn = Self(code: 0x100)
    static let notLoggedIn = Self(code: 0x101)
    static let pinNotInitialized = Self(code: 0x102)
    static let userTypeInvalid = Self(code: 0x103)
    static let bufferTooSmall = Self(code: 0x150)
    static let notInitialized = Self(code: 0x190)
}

/// The supported calls, by their numbers in p11-kit's protocol.
enum PKCS11Call: UInt32 {
    case initialize = 1
    case finalize, getInfo, getSlotList, getSlotInfo, getTokenInfo, getMechanismList, getMechanismInfo, initToken
    case openSession, closeSession, closeAllSessions, getSessionInfo, initPIN, setPIN
    case login = 18
    case logout, createObject, copyObject, destroyObject, getObjectSize, getAttributeValue, setAttributeValue
    case findObjectsInit, findObjects, findObjectsFinal, encryptInit, encrypt
    case decryptInit = 33
    case decrypt = 34
    case signInit = 42
    case sign, signUpdate, signFinal
    case verifyInit = 48
    case verify, verifyUpdate, verifyFinal
    case generateKey = 58
    case generateKeyPair
    case unwrapKey = 61
    case deriveKey, seedRandom, generateRandom, waitForSlotEvent

    /// The signatures of a request and its answer: one or two letters for each part. Each message contains its own.
    var parts: (request: String, answer: String) {
        switch self {
        case .initialize: ("ayyay", "")
        case .finalize: ("", "")
        case .getInfo: ("", "vsusv")
        case .getSlotList: ("yfu", "au")
        case .getSlotInfo: ("u", "ssuvv")
        case .getTokenInfo: ("u", "ssssuuuuuuuuuuuvvs")
        case .getMechanismList: ("ufu", "au")
        case .getMechanismInfo: ("uu", "uuu")
        case .initToken: ("uayz", "")
        case .openSession: ("uu", "u")
        case .closeSession, .closeAllSessions, .logout, .findObjectsFinal: ("u", "")
        case .getSessionInfo: ("u", "uuuu")
        case .initPIN, .seedRandom, .signUpdate, .verifyUpdate, .verifyFinal: ("uay", "")
        case .setPIN, .verify: ("uayay", "")
        case .login: ("uuay", "")
        case .createObject: ("uaA", "u")
        case .copyObject: ("uuaA", "u")
        case .destroyObject: ("uu", "")
        case .getObjectSize: ("uu", "u")
        case .getAttributeValue: ("uufA", "aAu")
        case .setAttributeValue: ("uuaA", "")
        case .findObjectsInit: ("uaA", "")
        case .findObjects: ("ufu", "au")
        case .encryptInit, .decryptInit, .signInit, .verifyInit: ("uMu", "")
        case .encrypt, .decrypt, .sign: ("uayfy", "ay")
        case .signFinal, .generateRandom: ("ufy", "ay")
        case .generateKey: ("uMaA", "u")
        case .generateKeyPair: ("uMaAaA", "uu")
        case .unwrapKey: ("uMuayaA", "u")
        case .deriveKey: ("uMuaA", "u")
        case .waitForSlotEvent: ("u", "u")
        }
    }

    /// Whether the call would change the token.
    var isWriting: Bool {
        switch self {
        case .initToken, .initPIN, .setPIN, .createObject, .copyObject, .setAttributeValue, .generateKey, .unwrapKey:
            true
        default: false
        }
    }
}

/// The numbers of attributes (CKA_).
enum PKCS11Attribute {
    static let objectClass: UInt64 = 0x00
    static let token: UInt64 = 0x01
    static let isPrivate: UInt64 = 0x02
    static let label: UInt64 = 0x03
    static let value: UInt64 = 0x11
    static let certificateType: UInt64 = 0x80
    static let issuer: UInt64 = 0x81
    static let serialNumber: UInt64 = 0x82
    static let trusted: UInt64 = 0x86
    static let certificateCategory: UInt64 = 0x87
    static let keyType: UInt64 = 0x100
    static let subject: UInt64 = 0x101
    static let identifier: UInt64 = 0x102
    static let sensitive: UInt64 = 0x103
    static let encrypt: UInt64 = 0x104
    static let decrypt: UInt64 = 0x105
    static let wrap: UInt64 = 0x106
    static let unwrap: UInt64 = 0x107
    static let sign: UInt64 = 0x108
    static let signRecover: UInt64 = 0x109
    static let verify: UInt64 = 0x10A
    static let verifyRecover: UInt64 = 0x10B
    static let derive: UInt64 = 0x10C
    static let startDate: UInt64 = 0x110
    static let endDate: UInt64 = 0x111
    static let modulus: UInt64 = 0x120
    static let modulusBits: UInt64 = 0x121
    static let publicExponent: UInt64 = 0x122
    static let valueLength: UInt64 = 0x161
    static let extractable: UInt64 = 0x162
    static let local: UInt64 = 0x163
    static let neverExtractable: UInt64 = 0x164
    static let alwaysSensitive: UInt64 = 0x165
    static let modifiable: UInt64 = 0x170
    static let copyable: UInt64 = 0x171
    static let destroyable: UInt64 = 0x172
    static let curve: UInt64 = 0x180
    static let point: UInt64 = 0x181
    static let alwaysAuthenticate: UInt64 = 0x202

    /// The secret parts of a private key, which are never revealed.
    static let secrets: Set<UInt64> = [value, 0x123, 0x124, 0x125, 0x126, 0x127, 0x128]

    /// The encoding of an attribute, by its number (`map_attribute_to_value_type` of p11-kit).
    enum Form { case flag, number, bytes, mechanisms, attributes }

    static func form(_ type: UInt64) -> Form {
        switch type {
        case 0x01, 0x02, 0x86, 0x103...0x10C, 0x162...0x165, 0x170, 0x171, 0x200, 0x202, 0x210, 0x301, 0x302, 0x406:
            .flag
        case 0x00, 0x80, 0x87, 0x88, 0x100, 0x121, 0x133, 0x134, 0x160, 0x161, 0x166, 0x201, 0x300, 0x400...0x405,
            0x500:
            .number
        case 0x4000_0600: .mechanisms
        case 0x4000_0211, 0x4000_0212, 0x4000_0213: .attributes
        default: .bytes
        }
    }
}
