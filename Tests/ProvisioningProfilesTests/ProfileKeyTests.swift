// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct ProfileKeyTests {
    private func read(_ change: (inout ProfileRecipe) -> Void) throws -> ProvisioningProfile {
        var recipe = try ProfileRecipe(.development)
        change(&recipe)
        return try UnverifiedProfile(bytes: recipe.bytes()).profile
    }

    @Test func `every documented key is typed and others are kept`() throws {
        let profile = try read {
            $0.values["TimeToLive"] = .integer(7)
            $0.values["IsXcodeManaged"] = .boolean(true)
            $0.values["PPQCheck"] = .boolean(true)
            $0.values["LocalProvision"] = .boolean(false)
            $0.values["SomethingNew"] = .array([.integer(1)])
        }
        #expect(profile.timeToLiveInDays == 7)
        #expect(profile.isXcodeManaged)
        #expect(profile.requiresOnlineCheck == true)
        #expect(profile.isLocal == false)
        #expect(profile.provisionedDevices == [ProfileRecipe.device])
        #expect(profile.otherKeys == ["SomethingNew": .array([.integer(1)])])
        #expect(profile.teamName == "Jane Doe")
    }

    @Test(arguments: ["Name", "UUID", "CreationDate", "ExpirationDate"])
    func `a key that must be there is named when it is missing or of another type`(key: String) throws {
        for value in [nil, PropertyList.boolean(true)] {
            let error = try #require(profileError { _ = try read { $0.values[key] = value } })
            #expect(error.code == .profileKey)
            #expect(error.message.contains(key))
        }
    }

    @Test(arguments: ["Platform", "TeamIdentifier", "ProvisionedDevices", "DeveloperCertificates", "IsXcodeManaged"])
    func `a key of another type than Apple's is refused`(key: String) throws {
        let error = profileError { _ = try read { $0.values[key] = .integer(1) } }
        #expect(error?.code == .profileKey)
    }

    @Test(arguments: [
        (true, true, false, ProfileKind.enterprise), (false, true, true, .development), (false, true, false, .adHoc),
        (false, false, false, .appStore), (false, false, true, .development),
    ])
    func `the kind follows from devices and debugging`(
        all: Bool, devices: Bool, debugging: Bool, kind: ProfileKind
    ) throws {
        let profile = try read {
            $0.values["ProvisionsAllDevices"] = all ? .boolean(true) : nil
            $0.values["ProvisionedDevices"] = devices ? .array([]) : nil
            $0.entitlements["get-task-allow"] = .boolean(debugging)
        }
        #expect(profile.kind == kind)
    }

    @Test func `days left are counted down to the day of expiry`() throws {
        let profile = try read { $0.values["ExpirationDate"] = .date(Date(timeIntervalSince1970: 1_800_000_000)) }
        let expiry = profile.expirationDate
        #expect(profile.daysLeft(at: expiry - 86_400 * 3) == 3)
        #expect(profile.daysLeft(at: expiry - 86_400 * 3 + 1) == 2)
        #expect(!profile.isExpired(at: expiry - 1))
        #expect(profile.isExpired(at: expiry))
        #expect(profile.daysLeft(at: expiry + 1) == -1)
    }

    @Test(arguments: [
        ("development", CertificateKind.development), ("distribution", .distribution), ("developer-id", .developerID),
        ("phone", .other),
    ])
    func `certificates are told by their markers`(name: String, kind: CertificateKind) throws {
        let certificate = try Certificate(encoded: TestAuthority.certificate(name))
        #expect(certificate.kind == kind)
        #expect(certificate.isValid(at: .now))
        #expect(!certificate.isValid(at: certificate.notAfter + 1))
        if kind != .other { #expect(certificate.organizationalUnit == ProfileRecipe.team) }
    }

    @Test func `a certificate with bytes behind it, or cut, is refused`() throws {
        let bytes = try TestAuthority.certificate("distribution")
        #expect(profileError { _ = try Certificate(encoded: bytes + [0]) }?.code == .certificate)
        #expect(profileError { _ = try Certificate(encoded: Array(bytes.dropLast())) }?.code == .certificate)
    }
}
