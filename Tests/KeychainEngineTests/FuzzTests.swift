// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Hostile rows, references and exports, through the readers that the product has: no trap, no hang, and no answer but
/// the documented ones. `ZAMOK_FUZZ_INPUTS` and `ZAMOK_FUZZ_SEED` make a run longer or another one.
@Suite struct FuzzTests {
    private static let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
    private let temporary = TemporaryHome()

    private func attributes(_ more: Attributes = [:]) -> Attributes {
        let all: Attributes = [
            "svce": .text("service"), "acct": .text("anna"), "agrp": .text("test"), "pdmn": .text("ak"),
            "cdat": .date(7e8), "mdat": .date(7e8), "sync": .number(0), "gena": .data([1, 2, 3]),
        ]
        return all.merging(more) { $1 }
    }

    private var encodings: [[UInt8]] {
        [
            attributes(), attributes(["labl": .text(String(repeating: "l", count: 300))]), ["pdmn": .text("ck")],
            attributes(["accc": .data([UInt8](repeating: 7, count: 40)), "tomb": .number(1)]),
        ].map { EncodedAttributes($0, hasSecret: true).bytes }
    }

    // MARK: Rows

    private struct Enough: Error {}

    /// Real columns of a real table, in one transaction that is given up at its end.
    @Test func `a hostile row is damaged, or its key destroyed, and never anything else`() throws {
        let store = try ItemStore.of(try temporary.open())
        _ = try store.add(.password("service", "anna", "secret"))
        _ = try store.add(.password("service", "berta", String(repeating: "x", count: 200)))
        var seen: [KeychainError.Code: Int] = [:]
        var row = HostileRow(seed: Self.seed, encodings: encodings)
        #expect(throws: Enough.self) {
            try store.database.write { access in
                let run = try FuzzRun.repeated("rows", bounded: 600) { _ in
                    let code = try row.next(store, access)
                    seen[code, default: 0] += 1
                    return code == .success
                }
                #expect(run.isBounded)
                throw Enough()
            }
        }
        let allowed: Set<KeychainError.Code> = [.success, .damaged, .keyDestroyed, .badRequest]
        #expect(Set(seen.keys).isSubset(of: allowed), "\(seen)")
        #expect(Set(seen.keys).isSuperset(of: [.success, .damaged]), "\(seen)")
        #expect(try store.checkInvariants() == [])
    }

    // MARK: References

    @Test func `a hostile persistent reference is none, or finds nothing, or finds its item`() throws {
        let store = try ItemStore.of(try temporary.open())
        let first = try #require(try store.add(.password("service", "anna", "secret")).persistentReference)
        let older = PersistentReference(unchecked: Array("genp".utf8) + [0, 0, 0, 0, 0, 0, 0, 1])
        var mutator = Mutator(corpus: [first.bytes, older.bytes, Array("inet".utf8)], seed: Self.seed)
        var (none, found) = (0, 0)
        let run = FuzzRun.repeated("references", bounded: 20_000) { number in
            let bytes = mutator.next()
            guard let reference = PersistentReference(bytes: bytes) else {
                none += 1
                return false
            }
            #expect(bytes.count == 12 || bytes.count == 20)
            // Looking it up costs a hundred times as much.
            guard number % 50 == 0 || bytes == first.bytes, let itemClass = reference.itemClass else {
                return true
            }
            var query = ItemQuery(itemClass)
            query.persistentReference = reference
            do {
                let items = try store.items(matching: query, withSecret: true)
                #expect(items.map(\.persistentReference) == [first])
                found += 1
            } catch {
                #expect((error as? KeychainError)?.code == .itemNotFound, "\(bytes)")
            }
            return true
        }
        #expect(run.isBounded && none > 0 && found > 0)
    }

    // MARK: Exports

    @Test func `a hostile export is refused with a status that says so, and reading it ends`() throws {
        let home = try temporary.open()
        let identity = home.identity
        var export = try HostileExport(seed: Self.seed, encodings: encodings)
        var seen: [KeychainError.Code: Int] = [:]
        let run = try FuzzRun.repeated("exports", bounded: 2000) { _ in
            let code = try export.next { record in _ = try PreparedItem(record, identity, now: 0) }
            seen[code, default: 0] += 1
            return code == .success
        }
        #expect(run.isBounded)
        let allowed: Set<KeychainError.Code> = [
            .success, .damaged, .unknownFormat, .unsupportedFormat, .authenticationFailed, .parameter,
            .missingEntitlement, .noSuchAttribute,
            .dataTooLarge, .unimplemented,
        ]
        #expect(Set(seen.keys).subtracting(allowed) == [], "\(seen)")
        #expect(Set(seen.keys).isSuperset(of: [.success, .damaged, .unknownFormat]), "\(seen)")
    }
}
