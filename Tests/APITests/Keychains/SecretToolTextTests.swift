// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Keychains

/// What secret-tool prints, read back; the first text is a real one.
@Suite struct SecretToolTextTests {
    private static let times = "created = 2026-11-21 08:12:30\nmodified = 2026-11-21 08:12:30\n"

    static let real = """
        [/5]
        label = empty
        secret =\u{20}
        \(times)attribute.service = mail
        attribute.username = empty
        [/1]
        label = My label
        secret = s3cret
        \(times)schema = org.freedesktop.Secret.Generic
        attribute.service = mail
        attribute.username = me
        [/2]
        label = Multi
        line
        secret = line1
        line2 = x

        \(times)attribute.service = mail
        attribute.username = you
        [/4]
        label = net
        secret = x
        \(times)schema = org.gnome.keyring.NetworkPassword
        attribute.port = 443
        attribute.protocol = https
        attribute.server = example.com
        attribute.user = u

        """

    private func listing(_ bytes: [UInt8]) throws -> WholeListing {
        let whole = try WholeListing(bytes)
        // However the pieces fall that it is read in.
        for size in [1, 2, 7, 64] { #expect(try WholeListing(bytes, pieces: size) == whole, "pieces of \(size)") }
        return whole
    }

    private func secrets(_ listing: WholeListing) throws -> [String?] {
        try listing.records.map { try $0.secret.flatMap { try String(exposing: $0) } }
    }

    @Test func `every item of a real listing is read`() throws {
        let listing = try listing(Array(Self.real.utf8))
        #expect(listing.refusals.isEmpty)
        #expect(try secrets(listing) == ["", "s3cret", "line1\nline2 = x\n", "x"])
        #expect(listing.records.map { $0[.account] } == ["empty", "me", "you", "u"])
        #expect(listing.records.map { $0[.label] } == ["empty", "My label", "Multi\nline", "net"])
        #expect(listing.records.last?[.server] == "example.com")
        #expect(listing.records.last?[.transport] == "htps")
        #expect(listing.lines == [1, 8, 16, 26])
    }

    @Test func `a secret may look like anything but its own end`() throws {
        let tricky = "[/9]\nlabel = x\nattribute.service = evil\ncreated = 2026-11-21 08:12:30\nsecret = y\n\u{0}"
        let text = "[/1]\nlabel = l\nsecret = \(tricky)\n\(Self.times)attribute.service = s\n"
        let listing = try listing(Array(text.utf8))
        #expect(try secrets(listing) == [tricky])
        #expect(listing.records.map { $0[.service] } == ["s"])
    }

    @Test func `bytes that are no text stay as they are`() throws {
        let bytes: [UInt8] = [0xFF, 0x00, 0x0A, 0x80]
        let text =
            Array("[/1]\nlabel = l\nsecret = ".utf8) + bytes + Array("\n\(Self.times)attribute.service = s\n".utf8)
        let secret = try #require(try listing(text).records.first?.secret)
        #expect(try [UInt8](exposing: secret) == bytes)
    }

    @Test func `other attributes are kept in the comment`() throws {
        let text =
            "[/1]\nlabel = l\nsecret = s\n\(Self.times)attribute.zone = z\nattribute.service = s\nattribute.app = a\nmore\n"
        #expect(try listing(Array(text.utf8)).records.first?[.comment] == "app = a\nmore\nzone = z")
    }

    @Test(arguments: [
        ("[/1]\nlabel = l\n\(times)attribute.service = s\n", "--unlock"),
        ("[/1]\nlabel = l\nsecret = s\n\(times)", "2>&1"),
        ("[/1]\n", "--unlock"), ("[/1]", "--unlock"), ("[/1]\nsecret = s", "2>&1"),
    ]) func `what can't be an item is refused, and it is said what to do`(_ text: String, _ advice: String) throws {
        let listing = try listing(Array(text.utf8))
        #expect(listing.records.isEmpty)
        #expect(listing.refusals.map(\.line) == [1])
        #expect(listing.refusals.allSatisfy { $0.reason.contains(advice) })
    }

    @Test func `no listing traps or hangs`() throws {
        let environment = ProcessInfo.processInfo.environment
        let lines = #"{"service":"mail","account":"anna","value":"one","created":"2020-01-31T12:00:00Z"}"#
        let internet =
            #"{"server":"h","port":443,"protocol":"https","value":"AP8=","encoding":"base64","synchronizable":true}"#
        let corpus = [Self.real, "\(lines)\n\(internet)\n", lines].map { Array($0.utf8) }
        var mutator = Mutator(corpus: corpus, seed: FuzzBudget.seed(environment: environment))
        for _ in 0..<FuzzBudget.inputs(environment: environment, bounded: 4000) {
            let bytes = mutator.next()
            for form in [nil, ItemListing.Form.jsonLines, .secretTool] {
                guard let listing = try? WholeListing(bytes, form: form) else { continue }
                #expect(try WholeListing(bytes, form: form, pieces: Int.random(in: 1...9)) == listing)
                #expect(listing.records.count + listing.refusals.count <= bytes.count + 1)
            }
        }
    }
}

/// A listing read to its end, twice.
struct WholeListing: Equatable {
    private(set) var records: [ItemRecord] = []
    /// Of each record.
    private(set) var lines: [Int] = []
    let refusals: [ItemListing.Refusal]

    init(_ bytes: [UInt8], form: ItemListing.Form? = nil, pieces: Int = .max) throws {
        let listing = try ItemListing(form: form) { count, offset in
            Array(bytes[min(offset, bytes.count)..<min(bytes.count, offset + min(count, pieces))])
        }
        while try listing.next() != nil {}
        listing.rewind()
        while let record = try listing.next() {
            records.append(record)
            lines.append(listing.line)
        }
        refusals = listing.refusals
    }

    static func == (left: Self, right: Self) -> Bool {
        // Of several reasons any may be given.
        left.lines == right.lines && left.refusals.map(\.line) == right.refusals.map(\.line)
            && left.records.map(described) == right.records.map(described)
    }

    private static func described(_ record: ItemRecord) -> String {
        let secret = (try? record.secret.map { try [UInt8](exposing: $0) }) ?? nil
        return "\(record.itemClass) \(record.attributes.sorted { $0.key.text < $1.key.text }) \(secret ?? [])"
    }
}
