// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import AppUsers

/// Hostile lists of users and marks, also under their right keys. What Zamok did not write destroys no user.
@Suite struct HostileRecordTests {
    private static let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
    let place = TemporaryHome()

    private func file(_ name: String) -> URL { URL(fileURLWithPath: "\(place.path)/\(name)") }

    private func sealed(
        _ content: [UInt8], _ label: KeyLabel, _ header: [UInt8], _ more: [UInt8] = []
    ) throws -> [UInt8] {
        guard !content.isEmpty else { return header }
        let plaintext = try SecretBytes(copying: content)
        return try header
            + place.open().keybag.withMetadataKey(.none) { key in
                try Seal.seal(
                    plaintext, under: try KeyDerivation.expand(from: key, label: label), authenticating: header + more)
            }
    }

    @Test func `a hostile list under its right key is refused, or has no user twice and no name that is no text`()
        throws
    {
        let directory = try place.directory()
        for name in ["Anna", "Bob"] { try directory.add(name) }
        let bytes = Array(try Data(contentsOf: file("directory")))
        let header = Array(bytes[..<16])
        let opened = try place.open().keybag.withMetadataKey(.none) { key in
            try Seal.open(
                Array(bytes[16...]), under: try KeyDerivation.expand(from: key, label: .userDirectory),
                authenticating: header)
        }
        let good = try #require(try opened.exposingBytes(0..<opened.count))
        #expect(try sealed(good, .userDirectory, header).count == bytes.count)
        var mutator = Mutator(corpus: [good, Array(good.prefix(110))], seed: Self.seed)
        let list = directory.file
        let run = try FuzzRun.repeated("directory under its key", bounded: 400) { _ in
            try Data(try sealed(mutator.next(), .userDirectory, header)).write(to: file("directory"))
            guard let read = try? list.read() else { return false }
            #expect(Set(read.users.map(\.id)).count == read.users.count)
            #expect(read.users.allSatisfy { $0.created.isFinite && $0.name.utf8.count <= DirectoryFile.nameLimit })
            return true
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }

    // Rule: a mark is its own user's | not bound to the user | 53 cases; also `LostListTests`: "a mark that is damaged,
    //   or another user's, removes no user" (2)
    @Test func `a hostile mark is none; under its right key it is one of four, of its own user`() throws {
        let root = try place.open()
        let marks = MarkFiles(root: root)
        let (anna, bob) = (UserIdentifier(.random()), UserIdentifier(.random()))
        var corpus: [[UInt8]] = []
        func user(_ id: UserIdentifier) -> AppUser { AppUser(id: id, name: "A name", isGuest: true, created: 7) }
        for mark in [UserMark.adding, .removing, .added(user(bob)), .leaving] {
            try marks.write(mark, of: bob)
            corpus.append(Array(try Data(contentsOf: file("marks/\(bob)"))))
        }
        // Of another one under its own name, and of none.
        let short = { (kind: UInt8) in [kind] + [UInt8](repeating: 0, count: 15) }
        let long = { (users: [AppUser]) -> [UInt8] in
            let list = UserList(users: users).encoded
            let bytes = short(4) + [0, 0, 0, UInt8(list.count)] + list
            return bytes + [UInt8](repeating: 0, count: 512 - bytes.count)
        }
        try marks.write(.removing, of: anna)
        let good = Array(try Data(contentsOf: file("marks/\(anna)")))
        let header = Array(good[..<16])
        // With it those of another user.
        var raws = Mutator(corpus: corpus, seed: Self.seed)
        let good4 = long([user(anna)])
        var contents = Mutator(corpus: [short(2), good4], seed: Self.seed &+ 1)
        let chosen = [
            short(1), short(2), short(3), short(4), good4, long([user(bob)]), long([]), long([user(anna), user(bob)]),
        ]
        var found: Set<UserMark?> = []
        let run = try FuzzRun.repeated("marks", bounded: 1000) { number in
            let isSealed = number % 2 == 0
            let content = number < 2 * chosen.count ? chosen[number / 2] : contents.next()
            let bytes = isSealed ? try sealed(content, .userMark, header, anna.unique.bytes) : raws.next()
            try Data(bytes).write(to: file("marks/\(anna)"))
            let read = try marks.all()
            #expect(Set(read.keys).isSubset(of: [anna, bob]) && read[bob] == .leaving)
            if case .added(let added) = read[anna] {
                #expect(isSealed && content.count == 512 && content[0] == 4 && added.id == anna)
            } else {
                let kinds: [UInt8: UserMark] = [1: .adding, 2: .removing, 3: .leaving]
                #expect(read[anna] == (isSealed && content.count == 16 ? kinds[content[0]] : nil))
            }
            if number < 2 * chosen.count, isSealed {
                #expect((read[anna] != nil) == [0, 1, 2, 4].contains(number / 2), "\(number / 2)")
            }
            found.insert(read[anna])
            return read[anna] != nil
        }
        #expect(run.isBounded && found.isSuperset(of: [nil, .adding, .removing, .leaving, .added(user(anna))]))
    }
}
