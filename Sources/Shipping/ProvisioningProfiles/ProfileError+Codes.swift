// SPDX-License-Identifier: Apache-2.0

package import Statuses

extension ProfileError.Code {
    // MARK: Reading

    /// The file could not be opened or read.
    public static let io = Self(.io)
    /// Larger, deeper or more numerous than the limits in Documentation/Formats/ProvisioningProfile.md.
    public static let tooLarge = Self(.tooLarge)
    /// A property list that is truncated, has another syntax, or has a document type with an internal subset.
    public static let propertyList = Self(.propertyList)
    /// The CMS envelope is truncated or doesn't have the form of RFC 5652.
    public static let envelope = Self(.envelope)
    /// A key of the profile is missing or has a type other than Apple's.
    public static let profileKey = Self(.profileKey)
    /// A certificate can't be read.
    public static let certificate = Self(.certificate)
    /// A Mach-O file is truncated, or its load commands don't fit.
    public static let machO = Self(.machO)
    /// The blobs of a code signature are truncated or don't fit.
    public static let codeSignature = Self(.codeSignature)
    /// A zip archive is damaged, or has a refused form.
    public static let archive = Self(.archive)
    /// A bundle has no Info.plist, no executable, or one with an unsafe name.
    public static let bundle = Self(.bundle)
    /// A project, an .xcconfig file or settings in JSON can't be read.
    public static let buildSettings = Self(.buildSettings)
    /// Nothing to examine: a folder without profiles and apps, an app without a profile, or a project without an app.
    public static let nothingThere = Self(.nothingThere)

    // MARK: Verifying

    /// A bare property list without an envelope: its author is unknown.
    public static let unsigned = Self(.unsigned)
    /// The envelope has no signer or more than one.
    public static let signerCount = Self(.signerCount)
    /// Signed attributes are missing, duplicated or inconsistent with the envelope.
    public static let signedAttributes = Self(.signedAttributes)
    /// The content isn't what was signed: it was changed afterwards.
    public static let contentDigest = Self(.contentDigest)
    /// The signer's key did not make this signature.
    public static let signature = Self(.signature)
    /// A digest, signature or key algorithm that isn't accepted here.
    public static let algorithm = Self(.algorithm)
    /// No signing time: it is unknown whether the certificates were valid.
    public static let signingTimeMissing = Self(.signingTimeMissing)
    /// The signing time is in the future.
    public static let signingTimeInFuture = Self(.signingTimeInFuture)
    /// A certificate of the chain was not valid at the signing time.
    public static let certificateNotValidThen = Self(.certificateNotValidThen)
    /// The signer's certificate or its issuer's is not in the envelope.
    public static let chainIncomplete = Self(.chainIncomplete)
    /// The chain does not end at one of the pinned roots.
    public static let wrongRoot = Self(.wrongRoot)
    /// A certificate of the chain isn't allowed its role (CA flag, key usage, unknown critical extension).
    public static let certificateRules = Self(.certificateRules)
    /// The signer isn't Apple's signer of profiles but, for example, a developer certificate.
    public static let wrongSigner = Self(.wrongSigner)
    /// The signer signs profiles of a platform other than the one in the profile.
    public static let platform = Self(.platform)
    /// The DER copy and the property list differ.
    public static let derCopyDisagrees = Self(.derCopyDisagrees)
}

extension ProfileError: StatusError {}

extension ProfileError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map { Self($0) } }
    package var codeName: String { name }

    package var status: Status? {
        switch value {
        case .io: .inputOutput
        case .nothingThere: .itemNotFound
        case .tooLarge: .dataTooLarge
        case .algorithm: .unimplemented
        case .propertyList, .envelope, .profileKey, .certificate, .machO, .codeSignature, .archive, .bundle,
            .buildSettings:
            .damaged
        case .unsigned, .signerCount, .signedAttributes, .contentDigest, .signature, .derCopyDisagrees: .verifyFailed
        case .signingTimeMissing, .signingTimeInFuture, .certificateNotValidThen, .chainIncomplete, .wrongRoot,
            .certificateRules, .wrongSigner, .platform:
            .notTrusted
        }
    }
}
