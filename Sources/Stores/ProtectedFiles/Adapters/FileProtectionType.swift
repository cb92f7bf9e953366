// SPDX-License-Identifier: Apache-2.0

public import DataProtection

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ProtectionClass {
    /// The class for a raw value of `FileProtectionType`, such as `NSFileProtectionComplete`, as in attribute
    /// dictionaries and the `com.apple.developer.default-data-protection` entitlement. Nil for any other text: Zamok
    /// has no class `CompleteWhenUserInactive`.
    public init?(fileProtectionType text: String) {
        switch text {
        case "NSFileProtectionComplete": self = .complete
        case "NSFileProtectionCompleteUnlessOpen": self = .completeUnlessOpen
        case "NSFileProtectionCompleteUntilFirstUserAuthentication": self = .completeUntilFirstUserAuthentication
        case "NSFileProtectionNone": self = .none
        default: return nil
        }
    }

    /// The raw value of the class's `FileProtectionType`; nil for `whenPasscodeSet`, which is not a class of files.
    public var fileProtectionType: String? {
        switch self {
        case .complete: "NSFileProtectionComplete"
        case .completeUnlessOpen: "NSFileProtectionCompleteUnlessOpen"
        case .completeUntilFirstUserAuthentication: "NSFileProtectionCompleteUntilFirstUserAuthentication"
        case .none: "NSFileProtectionNone"
        case .whenPasscodeSet: nil
        }
    }

    /// The class of a `FileProtectionType`. Throws `.unsupported` for one that Zamok doesn't have.
    public init(_ type: FileProtectionType) throws(ProtectedFileError) {
        guard let known = ProtectionClass(fileProtectionType: type.rawValue) else {
            throw ProtectedFileError(.unsupported, "the protection \(type.rawValue) can't be honoured here")
        }
        self = known
    }
}

extension FileProtectionType {
    /// The `FileProtectionType` of a class; nil for `whenPasscodeSet`.
    public init?(_ protection: ProtectionClass) {
        guard let text = protection.fileProtectionType else { return nil }
        self.init(rawValue: text)
    }
}
