// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TPMs
import TestSupport
import Testing

@testable import DataProtection

/// An earlier state that is put back (Documentation/Formats/TPMObjects.md, "Freshness").
extension TPMHomeTests {
    private func code(_ body: () throws -> Void) -> DataProtectionError.Code? { failure(body)?.code }

    /// A home in the TPM with the passcode 1234.
    private func counted(passcode: String? = "1234") throws -> Home {
        try tpm.allow(tries: 255)
        let (home, _) = try prepared(passcode: passcode)
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try passcode.map { try Secret($0) })
        return home
    }

    func tolerant(_ home: TemporaryHome) throws -> Home {
        TPMSecrets.forget()
        let way = tpm.way.description
        return try home.open { configuration in
            configuration.environment = { $0 == TPMAddress.variable ? way : nil }
            configuration.toleratesRollback = true
        }
    }

    private func contents(_ home: TemporaryHome) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in home.names where name != "generation" {
            let path = URL(fileURLWithPath: "\(home.path)/\(name)")
            found[name] = (try? Data(contentsOf: path)) ?? Data()
        }
        return found
    }

    private func number(_ home: Home) throws -> UInt64 { try #require(try home.status().counter).value }

    // Rule: a whole home from before a change is refused as rolled back, and nothing in it is changed | record and
    //   counter not compared | opens
    @Test func `a whole home of yesterday is refused as rolled back until a person accepts it`() throws {
        let home = try counted()
        let before = try copy()
        defer { before.remove() }
        try home.keybag.changePasscode(from: secret("1234"), to: secret("new"))
        #expect(try open().status().counter?.isOfPasscode == false)
        let untouched = try contents(before)
        for _ in 0..<2 {
            let error = failure { try open(at: before) }
            #expect(error?.code == .rolledBack && error?.message.contains("--accept-restored") == true)
        }
        #expect(try contents(before) == untouched)
        let accepted = try tolerant(before)
        #expect(accepted.isEarlierState)
        #expect(code { try accepted.keybag.checkPasscode(secret("new")) } == .wrongPasscode)
        try accepted.keybag.checkPasscode(secret("1234"))
        try accepted.acceptEarlierState()
        try open(at: before).keybag.unlock(passcode: secret("1234"))
        // From then on the other one is the earlier state.
        #expect(code { _ = try open() } == .rolledBack)
    }

    // Rule: the counter's value read with the device secret counts for the opening that read it, and not once the
    //   counter was raised | kept when the counter is raised | an earlier state opens
    @Test func `what the counter said before it was raised makes no earlier state the present one`() throws {
        let home = try counted()
        let before = try copy()
        defer { before.remove() }
        let way = tpm.way.description
        let asked = { try before.open { $0.environment = { $0 == TPMAddress.variable ? way : nil } } }
        TPMSecrets.forget()
        let file = home.keybag.place.deviceSecret
        _ = try file.read()
        let counter = try #require(try file.record()?.counter)
        #expect(try TPMSecrets.takeReading(of: counter) == number(home))
        #expect(TPMSecrets.takeReading(of: counter) == nil)
        TPMSecrets.forget()
        _ = try file.read()
        try home.keybag.changePasscode(from: secret("1234"), to: secret("new"))
        #expect(code { _ = try asked() } == .rolledBack)
        _ = try open()
    }

    @Test func `an earlier state doesn't become the present one by being used`() throws {
        let home = try counted()
        let before = try copy()
        defer { before.remove() }
        try home.keybag.changePasscode(from: secret("1234"), to: secret("new"))
        let old = try tolerant(before)
        try old.keybag.changePasscode(from: secret("1234"), to: secret("other"))
        old.keybag.countWrite(deleting: true)
        #expect(code { _ = try open(at: before) } == .rolledBack)
        _ = try open()
    }

    // Rule: the counter grows with each change of a passcode, of keys and of users | changes of the keybag not counted
    //   | 9 rows of the table
    @Test func `the counter grows when passcode, keys or users change, and once a day`() throws {
        let day = Locked<Int64>(1_700_000_000)
        Freshness.clock.withLock { $0 = { day.withLock { $0 } } }
        defer { Freshness.clock.withLock { $0 = { Int64(Date().timeIntervalSince1970) } } }
        let home = try counted(passcode: nil)
        var last = try number(home)
        func grows(_ by: UInt64, _ what: String, _ body: () throws -> Void) throws {
            try body()
            let now = try number(home)
            #expect(now - last == by, "\(what)")
            last = now
        }
        try grows(1, "set") { try home.keybag.setPasscode(secret("1234")) }
        try grows(1, "change") { try home.keybag.changePasscode(from: secret("1234"), to: secret("5678")) }
        try grows(1, "bind") { try home.keybag.bindPasscode(secret("5678")) }
        try grows(1, "unbind") { try home.keybag.unbindPasscode(secret("5678")) }
        try grows(1, "remove keys") { _ = try home.keybag.removeRetiredKeys() }
        let user = UniqueIdentifier.random()
        try grows(1, "user") { _ = try home.home(ofUser: user, making: true) }
        try grows(1, "user's passcode") {
            try home.home(ofUser: user, making: false).keybag.setPasscode(secret("user"))
        }
        try grows(1, "user goes") { try home.removeHome(ofUser: user) }
        try grows(1, "remove") { try home.keybag.removePasscode(secret("5678")) }
        try grows(0, "nothing") {
            _ = try open()
            home.keybag.countWrite(deleting: false)
        }
        day.withLock { $0 += 86_400 }
        try grows(0, "a look on the next day") { _ = try open() }
        try grows(1, "the next day's first write") { for _ in 0..<9 { home.keybag.countWrite(deleting: false) } }
    }

    // Rule: a TPM is written to less than 50 times a day by itself | deletions counted at once | 720
    @Test func `a day of deletions wears the TPM less than fifty times`() throws {
        let now = Locked<Int64>(1_700_006_400)
        Freshness.clock.withLock { $0 = { now.withLock { $0 } } }
        defer { Freshness.clock.withLock { $0 = { Int64(Date().timeIntervalSince1970) } } }
        let home = try counted(passcode: nil)
        let first = try number(home)
        for minute in 0..<1440 {
            home.keybag.countWrite(deleting: minute % 2 == 0)
            now.withLock { $0 += 60 }
        }
        let writes = try number(home) - first
        #expect((20..<50).contains(writes))
        // Set back, the clock doesn't stop it.
        now.withLock { $0 -= 10 * 86_400 }
        home.keybag.countWrite(deleting: false)
        #expect(try number(home) == first + writes + 1)
    }

    // Rule: a missing counter, another one in its place and an unreachable TPM have errors of their own, and change
    //   nothing | the answer "no such handle" not told from others | tpmFailed
    @Test func `a counter that is gone, or replaced, is told as that, and made anew on request`() throws {
        let home = try counted()
        let counter = try #require(try home.keybag.place.deviceSecret.record()?.counter)
        let untouched = try contents(temporary)
        let before = try copy()
        defer { before.remove() }
        try tpm.removeIndex(counter.handle)
        #expect(code { _ = try open() } == .counterGone)
        let identity = try #require(try home.keybag.place.deviceSecret.placedCounter()).identity
        let other = try Secret("by somebody else")
        _ = try tpm.way.make(TPMCounter(handle: counter.handle, mark: counter.mark), other, of: identity)
        #expect(code { _ = try open() } == .counterReplaced)
        tpm.stop()
        #expect(code { _ = try open() } == .tpmUnreachable)
        try tpm.start()
        #expect(try contents(temporary) == untouched)
        let accepted = try tolerant(temporary)
        try accepted.keybag.checkPasscode(secret("1234"))
        try accepted.acceptEarlierState()
        let again = try open()
        try again.keybag.unlock(passcode: secret("1234"))
        #expect(try again.keybag.place.deviceSecret.record()?.counter != counter)
        #expect(try tpm.indices().count == 1)
        #expect([.counterGone, .counterReplaced].contains(code { _ = try open(at: before) }))
    }

    // Rule: what was written before the counter grew, and not counted, is no earlier state | a record that is one ahead
    //   not finished | counterReplaced
    @Test func `a record that is one ahead is finished, and one further is not believed`() throws {
        let home = try counted()
        let place = home.keybag.place
        let freshness = try #require(try Freshness(place))
        let secret = Secret(try place.deviceSecret.read(try place.deviceSecret.presentNumber()))
        let file = FreshnessFile(folder: place.folder, counter: try #require(try place.deviceSecret.record()?.counter))
        var record = try #require(try secret.withSecretBytes { try file.read($0) })
        let value = record.number
        record.number += 1
        try secret.withSecretBytes { try file.write(record, $0) }
        _ = try open()
        #expect(try freshness.standing()?.value == value + 1)
        _ = try open()
        record.number += 5
        try secret.withSecretBytes { try file.write(record, $0) }
        #expect(code { _ = try open() } == .counterReplaced)
        try place.folder.remove(FreshnessFile.name(file.counter))
        #expect(code { _ = try open() } == .damaged)
        let accepted = try tolerant(temporary)
        try accepted.acceptEarlierState()
        _ = try open()
    }

    // Rule: the TPM itself gives nothing to yesterday's keybag with yesterday's passcode, to any program | the
    //   passcode's counter not raised after a change | unlocks
    @Test func `yesterday's keybag with yesterday's passcode opens nothing, by any program`()
        throws
    {
        let home = try counted()
        try home.keybag.bindPasscode(secret("1234"))
        #expect(try home.status().counter?.isOfPasscode == true)
        let before = try copy()
        defer { before.remove() }
        let old = try home.keybag.place.read()
        try home.keybag.changePasscode(from: secret("1234"), to: secret("5678"))
        let tries = try tpm.way.lockout().tries
        // As Zamok, which was told to go on with an earlier state.
        let stale = try tolerant(before)
        #expect(code { try stale.keybag.unlock(passcode: secret("1234")) } == .rolledBack)
        #expect(try stale.status().failedAttempts == 0)
        // As a program that knows the formats, the passcode, and all that the disk ever held.
        let binding = try #require(try old.file.passcodeBinding)
        let stretching = try #require(old.file.stretching)
        let stretched = Secret(
            try Keybag.stretch(try Passcode(secret("1234")), salt: stretching.salt, parameters: stretching.parameters))
        #expect(throws: TPMError.superseded) {
            _ = try binding.value(for: stretched, home.keybag.place.deviceSecret, number: old.file.deviceSecretNumber)
        }
        #expect(throws: TPMError.self) { _ = try tpm.way.open(binding.part.sealed, with: stretched) }
        #expect(try tpm.way.lockout().tries == tries)
        try open().keybag.unlock(passcode: secret("5678"))
    }

    /// Users have counters of their own for their passcodes, and one for all for the home.
    @Test func `one user's change of a bound passcode leaves the others' as they are`() throws {
        let home = try counted()
        try home.keybag.bindPasscode(secret("1234"))
        let users = [UniqueIdentifier.random(), .random()]
        for user in users {
            let own = try home.home(ofUser: user, making: true)
            try own.keybag.setPasscode(secret("user"))
            try own.keybag.bindPasscode(secret("user"))
        }
        #expect(try tpm.indices().count == 4)
        let before = try copy()
        defer { before.remove() }
        try home.home(ofUser: users[0], making: false).keybag.changePasscode(from: secret("user"), to: secret("new"))
        let root = try open()
        try root.keybag.unlock(passcode: secret("1234"))
        try root.home(ofUser: users[0], making: false).keybag.unlock(passcode: secret("new"))
        try root.home(ofUser: users[1], making: false).keybag.unlock(passcode: secret("user"))
        #expect(code { _ = try open(at: before) } == .rolledBack)
        // That user's keybag alone, of before.
        let name = "users/\(users[0].text)/keybag"
        try Data(contentsOf: URL(fileURLWithPath: "\(before.path)/\(name)"))
            .write(to: URL(fileURLWithPath: "\(temporary.path)/\(name)"))
        #expect(code { _ = try open().home(ofUser: users[0], making: false) } == .restoredCopy)
        try root.removeHome(ofUser: users[0])
        #expect(try tpm.indices().count == 3)
        try open().home(ofUser: users[1], making: false).keybag.unlock(passcode: secret("user"))
    }

    // Rule: what a home had in the TPM is removed with what named it | the counter from before not noted at a move | 2
    //   in place of 1
    @Test func `no counter is left in the TPM by a move, an unbinding or an erase`() throws {
        let home = try counted()
        #expect(try tpm.indices().count == 1)
        let passcode = try Secret("1234")
        try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        #expect(try tpm.indices().count == 1)
        try home.keybag.bindPasscode(secret("1234"))
        try home.keybag.changePasscode(from: secret("1234"), to: secret("1234"))
        #expect(try tpm.indices().count == 2)
        // The counter of a passcode follows the device secret.
        try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        #expect(try tpm.indices().count == 2)
        try open().keybag.unlock(passcode: secret("1234"))
        try home.keybag.unbindPasscode(secret("1234"))
        #expect(try tpm.indices().count == 1)
        try home.keybag.bindPasscode(secret("1234"))
        try home.moveDeviceSecret(to: .file, passcode: passcode)
        #expect(try tpm.indices().isEmpty)
        try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        try home.keybag.bindPasscode(secret("1234"))
        #expect(try tpm.indices().count == 2)
        try Home.erase(temporary.configuration)
        #expect(try tpm.indices().isEmpty)
        #expect(temporary.names.allSatisfy { !$0.hasPrefix("freshness") && !$0.hasPrefix("chip-") })
        // The device secret stays, and the next home with it has a counter again.
        let next = try open()
        #expect(try tpm.indices().count == 1 && next.status().counter != nil)
        _ = try open()
    }

    /// A TPM whose memory others have filled. What needs no counter goes on, and status says what is missing. Once
    /// there is room the counters are made.
    // Rule: where a TPM has no room for a counter the home goes on without, and makes one as soon as there is room |
    //   the answer passed on as an error; no second try once a move has freed room | tpmFailed; no counter
    @Test func `a TPM without room for a counter serves the home all the same`() throws {
        try tpm.allow(tries: 255)
        let (home, _) = try prepared()
        let filled = try tpm.fill()
        #expect(filled.count > 10)
        let passcode = try Secret("1234")
        try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        try home.keybag.bindPasscode(secret("1234"))
        try home.keybag.changePasscode(from: secret("1234"), to: secret("5678"))
        let full = try open()
        try full.keybag.unlock(passcode: secret("5678"))
        let status = try full.status()
        #expect(status.deviceSecretTPM != nil && status.passcodeTPM != nil && status.counter == nil)
        #expect(try full.keybag.view().file.passcodeBinding?.limit == nil)
        #expect(try bytes("device-secret")[8] == 1)
        #expect(!temporary.names.contains("chip-counters"))
        for number in filled { try tpm.removeIndex(number) }
        try full.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("5678"))
        #expect(try open().status().counter?.isOfPasscode == true && tpm.indices().count == 2)
        // Full but for the counters: the room of the one from before is the next one's.
        _ = try tpm.fill(from: 1000)
        try open().moveDeviceSecret(to: .tpm(.none), passcode: try Secret("5678"))
        #expect(try open().status().counter != nil)
    }

    // Rule: a counter in an unreachable TPM stays noted while another TPM is used | another TPM taken for the one that
    //   has it no more | the note is gone, the counter stays
    @Test func `a counter in a TPM that is away stays noted while another TPM is used`() throws {
        let home = try counted()
        let passcode = try Secret("1234")
        let code = try home.makeRecoveryCode()
        try home.confirmRecoveryCode(code)
        tpm.stop()
        TPMSecrets.forget()
        try Home.recover(temporary.configuration, [code])
        defer { TPMSecrets.forget() }
        let alone = try temporary.open()
        try alone.moveDeviceSecret(to: .file, passcode: passcode)
        #expect(temporary.names.contains("chip-counters"))
        TPMSecrets.forget()
        let other = try SoftwareTPM()
        let way = other.way.description
        let moved = try temporary.open { $0.environment = { $0 == TPMAddress.variable ? way : nil } }
        try moved.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        #expect(temporary.names.contains("chip-counters"))
        try tpm.start()
        #expect(try tpm.indices().count == 1)
        TPMSecrets.forget()
        _ = try temporary.open { $0.environment = { $0 == TPMAddress.variable ? way : nil } }
        #expect(try tpm.indices().isEmpty && !temporary.names.contains("chip-counters"))
        #expect(try other.indices().count == 1)
    }

    /// Without a TPM nothing of this is there, nor looked for.
    @Test func `a home without a TPM has no record and no counter`() throws {
        let home = try open()
        try home.keybag.setPasscode(secret("1234"))
        try home.keybag.changePasscode(from: secret("1234"), to: secret("5678"))
        home.keybag.countWrite(deleting: true)
        #expect(temporary.names.allSatisfy { !$0.hasPrefix("freshness") && !$0.hasPrefix("chip-") })
        #expect(try bytes("keybag")[8] == 1 && bytes("device-secret").count == 64)
        #expect(home.keybag.freshness.withLock { $0 } == nil)
    }
}
