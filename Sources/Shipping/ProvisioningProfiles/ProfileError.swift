// SPDX-License-Identifier: Apache-2.0

import Statuses

/// Why a profile, an app or a build setting could not be read, or why a profile doesn't verify. Two errors are equal if
/// their codes are.
public struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error. More may be added; ``name`` is stable and is used in reports.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case io
            case tooLarge = "too-large"
            case propertyList = "property-list"
            case envelope
            case profileKey = "profile-key"
            case certificate
            case machO = "mach-o"
            case codeSignature = "code-signature"
            case archive
            case bundle
            case buildSettings = "build-settings"
            case nothingThere = "nothing-there"
            case unsigned
            case signerCount = "signer-count"
            case signedAttributes = "signed-attributes"
            case contentDigest = "content-digest"
            case signature
            case algorithm
            case signingTimeMissing = "signing-time-missing"
            case signingTimeInFuture = "signing-time-in-future"
            case certificateNotValidThen = "certificate-not-valid-then"
            case chainIncomplete = "chain-incomplete"
            case wrongRoot = "wrong-root"
            case certificateRules = "certificate-rules"
            case wrongSigner = "wrong-signer"
            case platform
            case derCopyDisagrees = "der-copy-disagrees"
        }
        let value: Value

        init(_ value: Value) { self.value = value }

        /// The name in reports, in words joined by hyphens.
        public var name: String { value.rawValue }
    }

    /// The signed part that failed.
    public enum Part: String, Sendable {
        /// The outer envelope with the property list.
        case envelope = "profile"
        /// The `DER-Encoded-Profile` inside the property list.
        case derCopy = "DER copy"
        /// The signature over an app's code.
        case code = "code signature"
    }

    /// What went wrong.
    public let code: Code
    /// What it means and what to do, in plain text. Contains nothing from the file except key names and numbers.
    public let message: String
    /// The signed part that failed.
    public let part: Part
    /// The underlying error.
    public let cause: (any Error)?
    /// Where it was detected, as `file:line`.
    public let location: String

    /// An error with a message of its own.
    public init(
        _ code: Code, _ message: String, part: Part = .envelope, cause: (any Error)? = nil, file: String = #fileID,
        line: Int = #line
    ) {
        self.init(code, message, part, cause, location: "\(file):\(line)")
    }

    private init(_ code: Code, _ message: String, _ part: Part, _ cause: (any Error)?, location: String) {
        self.code = code
        self.message = message
        self.part = part
        self.cause = cause
        self.location = location
    }

    /// Apple's OSStatus for it, as the functions of `SecItem` return it. The command `zamok` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Equality by code.
    public static func == (left: ProfileError, right: ProfileError) -> Bool { left.code == right.code }

    /// The name and the message.
    public var description: String { "\(part.rawValue): \(code.name): \(message)" }

    func at(_ part: Part) -> ProfileError { ProfileError(code, message, part, cause, location: location) }
}
