// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ExaminedProfile {
    /// The findings about the profile alone, regardless of the app.
    ///
    /// - Parameters:
    ///   - path: the profile's path.
    ///   - options: the day, the device, and how many days before its expiry a profile becomes a finding.
    ///   - configuration: the purpose of a build with it; nil accepts every kind.
    public func findings(
        path: String, options: CheckOptions, configuration: ShippingConfiguration? = nil
    ) -> [Finding] {
        var collector = FindingCollector()
        let place = Finding.Location(path)
        if let configuration { profile.addKind(wanted: configuration, place, &collector) }
        addTrust(place, &collector)
        addCopy(place, &collector)
        addExpiry(place, options: options, collector: &collector)
        addCertificates(place, options: options, collector: &collector)
        if let device = options.device { addDevice(device, place: place, collector: &collector) }
        return collector.findings
    }

    private func addDevice(_ device: String, place: Finding.Location, collector: inout FindingCollector) {
        guard !profile.provisionsAllDevices else { return }
        guard let devices = profile.provisionedDevices else {
            return collector.add(
                .deviceNotListed, place,
                "the profile has no list of devices: what is signed with it installs on none, except through the store")
        }
        if !lists(device, devices) {
            collector.add(
                .deviceNotListed, place, "the device asked for is not among the \(devices.count) of the profile")
        }
    }

    private func addTrust(_ place: Finding.Location, _ collector: inout FindingCollector) {
        switch self {
        case .apple: break
        case .custom(let verified):
            let root = verified.verification.root.commonName ?? "a root without a name"
            collector.add(.profileCustomAnchor, place, "the chain ends at \"\(root)\"")
        case .unverified(_, let error):
            collector.add(error.code == .unsigned ? .profileUnsigned : .profileNotVerified, place, error.description)
        }
        if let uses = verification?.sha1Uses, !uses.isEmpty {
            collector.add(.profileSHA1, place, "SHA-1: " + uses.joined(separator: ", "))
        }
    }

    private func addCopy(_ place: Finding.Location, _ collector: inout FindingCollector) {
        if profile.derCopy == nil, profile.creationDate >= Self.firstDayOfCopies {
            collector.add(
                .derCopyMissing, place, "the profile is of 2025 or later, and only its envelope is signed")
        }
        guard let type = verification?.derCopy?.distributionType, let kind = ProfileKind(distributionType: type),
            kind != profile.kind
        else { return }
        collector.add(
            .distributionType, place,
            "the DER copy says \(kind.displayName), devices and entitlements say \(profile.kind.displayName)")
    }

    /// 1 January 2025: since then, Apple puts DER copies into profiles.
    private static let firstDayOfCopies = Date(timeIntervalSince1970: 1_735_689_600)

    private func addExpiry(_ place: Finding.Location, options: CheckOptions, collector: inout FindingCollector) {
        let days = profile.daysLeft(at: options.now)
        if profile.isExpired(at: options.now) {
            collector.add(.profileExpired, place, "it expired on \(profile.expirationDate.dayText)")
        } else if days < options.warnDays {
            collector.add(
                .profileExpiresSoon, place, "it expires on \(profile.expirationDate.dayText), in \(days) days")
        }
    }

    private func addCertificates(_ place: Finding.Location, options: CheckOptions, collector: inout FindingCollector) {
        let entries = profile.developerCertificates
        for (index, entry) in entries.enumerated() where entry.certificate == nil {
            collector.add(.certificateUnreadable, place, "entry \(index + 1) of \(entries.count)")
        }
        let certificates = entries.compactMap(\.certificate)
        if !certificates.isEmpty, certificates.allSatisfy({ $0.notAfter < options.now }) {
            let last = certificates.map(\.notAfter).max()?.dayText ?? ""
            collector.add(
                .certificatesExpired, place,
                certificates.count == 1
                    ? "the only one expired on \(last)"
                    : "all \(certificates.count) have expired, the last of them on \(last)")
        }
    }

    private func lists(_ device: String, _ devices: [String]) -> Bool {
        devices.contains { $0.lowercased() == device.lowercased() }
    }
}

extension Date {
    /// `2026-05-05`, in UTC.
    public var dayText: String {
        String(ISO8601Format().prefix(10))
    }
}

extension ProvisioningProfile {
    func addKind(wanted: ShippingConfiguration, _ place: Finding.Location, _ collector: inout FindingCollector) {
        guard wanted.kind != kind else { return }
        collector.add(
            .profileKind, place,
            "\(wanted.rawValue) needs a profile for \(wanted.kind.displayName); \"\(name)\" is for \(kind.displayName)")
    }
}
