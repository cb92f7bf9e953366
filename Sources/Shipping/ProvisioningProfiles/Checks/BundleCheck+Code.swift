// SPDX-License-Identifier: Apache-2.0

import Readers

extension BundleCheck {
    mutating func checkCode(_ profile: ProvisioningProfile?) {
        if let error = bundle.codeError { collector.add(.codeUnreadable, place, error.description) }
        for slice in bundle.code {
            guard let signature = slice.signature else {
                collector.add(.codeUnsigned, place(slice), "\(slice.architecture) has no code signature")
                continue
            }
            checkIdentifier(signature, slice)
            checkSigner(signature, slice: slice, profile: profile)
            checkForms(signature, slice)
        }
        checkSlicesAgree()
    }

    /// The architecture is named only if there are several.
    private func place(_ slice: CodeSlice) -> Finding.Location {
        bundle.code.count > 1 ? place(slice.architecture) : place
    }

    private mutating func checkIdentifier(_ signature: CodeSignature, _ slice: CodeSlice) {
        for directory in signature.directories where directory.identifier != bundle.bundleIdentifier {
            collector.add(
                .bundleIdentifierDiffers, place(slice),
                "the code directory says \(directory.identifier), Info.plist says \(bundle.bundleIdentifier)")
        }
    }

    private mutating func checkSigner(
        _ signature: CodeSignature, slice: CodeSlice, profile: ProvisioningProfile?
    ) {
        switch signature.signer(anchor: options.anchor, at: options.now) {
        case .adHoc:
            collector.add(.codeAdHoc, place(slice), "there is no signature over the code directory")
        case .invalid(let error):
            collector.add(.codeSignatureInvalid, place(slice), error.description)
        case .custom(let certificate, _):
            collector.add(.codeCustomAnchor, place(slice), "the signer's chain ends at a root that was given")
            checkCertificate(certificate, signature: signature, slice: slice, profile: profile)
        case .apple(let certificate, _):
            checkCertificate(certificate, signature: signature, slice: slice, profile: profile)
        }
    }

    private mutating func checkCertificate(
        _ certificate: Certificate, signature: CodeSignature, slice: CodeSlice, profile: ProvisioningProfile?
    ) {
        if let profile, !profile.developerCertificates.contains(where: { $0.encoded == certificate.encoded }) {
            collector.add(
                .signerNotInProfile, place(slice),
                "the certificate \(String(hexadecimal: certificate.fingerprint.prefix(8)))… is none of the "
                    + "\(profile.developerCertificates.count) in \"\(profile.name)\"")
        }
        if certificate.notAfter < options.now {
            collector.add(.signerExpired, place(slice), "it expired on \(certificate.notAfter.dayText)")
        }
        if let kind = wantedKind(profile), certificate.kind != kind.certificateKind {
            collector.add(
                .signerKind, place(slice),
                "a \(certificate.kind.rawValue) certificate signed a build for \(kind.displayName)")
        }
        let teams = [
            ("code directory", signature.teamIdentifier), ("certificate", certificate.organizationalUnit),
            ("profile", profile?.teamIdentifier), ("entitlements", signature.entitlements?.teamIdentifier),
        ].compactMap { name, team in team.map { "\(name) \($0)" } }
        if Set(teams.compactMap { $0.split(separator: " ").last }).count > 1 {
            collector.add(.teamDiffers, place(slice), teams.joined(separator: ", "))
        }
    }

    /// Checks that the entitlements are bound to the code directory, exist in DER too, and are the same in both forms.
    private mutating func checkForms(_ signature: CodeSignature, _ slice: CodeSlice) {
        let forms = [("XML", signature.xmlEntitlements), ("DER", signature.derEntitlements)]
        for (name, form) in forms {
            switch form?.binding {
            case .changed:
                collector.add(.entitlementsChanged, place(slice), "the \(name) form does not have the signed hash")
            case .notListed:
                collector.add(.entitlementsChanged, place(slice), "the code directory has no hash for the \(name) form")
            case .bound, nil: break
            }
        }
        guard let xml = signature.xmlEntitlements?.entitlements, !xml.values.isEmpty else { return }
        guard let der = signature.derEntitlements?.entitlements else {
            collector.add(.derEntitlementsMissing, place(slice), "there is no DER form")
            return
        }
        for key in Set(xml.values.keys).union(der.values.keys).sorted() where xml.values[key] != der.values[key] {
            collector.add(.derEntitlementsDisagree, place(slice), "they differ in \(key)")
        }
    }

    private mutating func checkSlicesAgree() {
        let signed = bundle.code.filter { $0.signature != nil }
        guard let first = signed.first, let reference = first.signature else { return }
        for slice in signed.dropFirst() {
            guard let signature = slice.signature else { continue }
            let same =
                signature.identifier == reference.identifier && signature.teamIdentifier == reference.teamIdentifier
                && signature.entitlements == reference.entitlements
            if !same {
                collector.add(
                    .slicesDiffer, place(slice), "\(slice.architecture) differs from \(first.architecture)")
            }
        }
    }
}

extension ProfileKind {
    /// The kind of certificate for such builds.
    var certificateKind: CertificateKind {
        switch self {
        case .development: .development
        case .adHoc, .appStore, .enterprise: .distribution
        case .developerID: .developerID
        }
    }
}
