// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import SyncEngines
import SyncLog
import Testing

@testable import KeychainSync

/// Shares of an account's recovery code.
@Suite struct RecoverySharesTests {
    private func refusal(_ shares: inout RecoveryShares, _ text: String) -> String? {
        do {
            try shares.add(Secret(copying: text.utf8))
            return nil
        } catch { return (error as? SyncLogError)?.message ?? "\(error)" }
    }

    private func texts(_ code: RecoveryCode, _ count: Int, needed: Int) throws -> [String] {
        try code.shares(count, needed: needed).map { try String(exposing: $0) ?? "" }
    }

    // Rule: shares of two sets don't meet | RecoveryShares.add without its look at the set | no message, and no code
    @Test func `any so many shares are the code, and each refusal leaves the others`() throws {
        let code = RecoveryCode()
        let texts = try texts(code, 5, needed: 3)
        var shares = RecoveryShares()
        #expect(shares.needed == nil && shares.missing == nil)
        #expect(throws: SyncLogError(.wrongWords, "")) { try shares.code() }
        #expect(refusal(&shares, texts[4]) == nil)
        #expect(shares.needed == 3 && shares.missing == 2)
        #expect(refusal(&shares, texts[4])?.contains("given already") == true)
        let others = try self.texts(code, 5, needed: 3)
        #expect(refusal(&shares, others[1])?.contains("another set") == true)
        #expect(refusal(&shares, "")?.contains("has 0") == true)
        #expect(refusal(&shares, code.text)?.contains("23 words") == true)
        #expect(shares.missing == 2)
        #expect(throws: SyncLogError(.wrongWords, "")) { try shares.code() }
        #expect(refusal(&shares, texts[0].uppercased()) == nil && refusal(&shares, texts[2]) == nil)
        #expect(shares.missing == 0)
        #expect(refusal(&shares, texts[1]) == nil && shares.missing == 0)
        #expect(try shares.code().text == code.text)
    }

    @Test func `a code is told from a share`() throws {
        for _ in 0..<50 {
            let code = RecoveryCode()
            #expect(try !RecoveryShares.isShare(Secret(copying: code.text.utf8)))
            #expect(try !RecoveryShares.isShare(Secret(copying: code.text.filter { $0 != "-" }.utf8)))
        }
        for text in try texts(RecoveryCode(), 2, needed: 2) {
            #expect(try RecoveryShares.isShare(Secret(copying: text.utf8)))
        }
    }

    @Test(arguments: [(1, 1), (2, 1), (2, 3), (17, 2), (0, 0), (3, -1)])
    func `a code has no such shares`(count: Int, needed: Int) {
        #expect(throws: SyncLogError(.malformed, "")) { try RecoveryCode().shares(count, needed: needed) }
    }

    // Rule: a code that ended takes its shares along | LogReplica.recoveryWriter without its check | the ended code's
    //   shares add a machine
    @Test func `shares add a machine, and none once another code was made`() async throws {
        let folder = try EngineFolder()
        let one = try SyncedHome("one", folder.engine)
        try one.add("item", "secret")
        let account = try await one.found()
        var sync = try one.open()
        var former: [String] = []
        try await sync.recoveryCode { former = try texts($0, 3, needed: 2) }
        func recover(_ name: String, _ texts: [String]) async throws -> SyncedHome {
            let home = try SyncedHome(name, folder.engine)
            var shares = RecoveryShares()
            for text in texts { try shares.add(Secret(copying: text.utf8)) }
            _ = try await KeychainSync.recover(
                home.home, account: account, with: shares.code(), on: home.engine, at: "file:///test", name: name)
            try await home.round()
            return home
        }
        #expect(try await recover("heir", [former[2], former[0]]).items() == ["item": "secret"])
        try await sync.now()
        try await sync.recoveryCode()
        await #expect(throws: SyncLogError(.notAccepted, "")) { _ = try await recover("late", Array(former.prefix(2))) }
    }
}
