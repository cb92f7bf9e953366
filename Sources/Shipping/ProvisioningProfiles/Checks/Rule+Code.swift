// SPDX-License-Identifier: Apache-2.0

extension Rule {
    static let codeUnreadable = Rule(
        "code-unreadable", .error, "The executable or its code signature can't be read.",
        remedy: "Build and sign the app again; a file that was cut or patched does not start.")
    static let codeUnsigned = Rule(
        "code-unsigned", .error, "A slice of the executable has no code signature.",
        remedy: "Sign the app with codesign or Xcode.")
    static let codeAdHoc = Rule(
        "code-ad-hoc-signed", .error, "The code is signed ad hoc, without a certificate.",
        remedy: "Sign the app with a developer certificate that the profile lists.")
    static let codeSignatureInvalid = Rule(
        "code-signature-invalid", .error, "The signature over the code directory does not verify.",
        remedy: "Sign the app again; its code directory or signature was changed, or the signer is not Apple's.")
    static let codeCustomAnchor = Rule(
        "code-custom-anchor", .warning, "The code signature verifies under the roots given, not under Apple's.",
        remedy: "Sign the app with a certificate that Apple issued.")
    static let slicesDiffer = Rule(
        "slices-differ", .error,
        "The slices of a fat executable are signed with different identifiers or entitlements.",
        remedy: "Sign all slices together.")
    static let bundleIdentifierDiffers = Rule(
        "bundle-identifier-differs", .error, "The code signature names another identifier than Info.plist.",
        remedy: "Sign the app again after changing its bundle identifier.")
    static let signerNotInProfile = Rule(
        "signer-not-in-profile", .error, "The certificate that signed the code is not in the profile.",
        remedy: "Add the certificate to the profile, or sign with one that it lists.")
    static let signerExpired = Rule(
        "signer-expired", .error, "The certificate that signed the code has expired.",
        remedy: "Renew the certificate and sign the app again.")
    static let signerKind = Rule(
        "signer-kind", .error, "The code is signed with a certificate for another purpose.",
        remedy: "Sign development builds with a development certificate and all others with a distribution certificate."
    )
    static let teamDiffers = Rule(
        "team-differs", .error, "Code signature, certificate and profile do not name the same team.",
        remedy: "Sign with certificate and profile of one team.")

    static let codeRules = [
        codeUnreadable, codeUnsigned, codeAdHoc, codeSignatureInvalid, codeCustomAnchor, slicesDiffer,
        bundleIdentifierDiffers, signerNotInProfile, signerExpired, signerKind, teamDiffers,
    ]
}
