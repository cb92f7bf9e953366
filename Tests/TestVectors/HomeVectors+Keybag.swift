// SPDX-License-Identifier: Apache-2.0

extension HomeVectors {
    static func keybag() throws -> [String: VectorFile] {
        try good().merging(bound()) { $1 }.merging(form()) { $1 }.merging(table()) { $1 }.merging(authentication()) {
            $1
        }
        .merging(passcode()) { $1 }.merging(forged()) { $1 }.merging(attempts()) { $1 }
    }

    private static let malformed = "damaged: not a whole keybag"

    /// A home whose keybag was written from a changed plan; its HMAC and tags are right.
    private static func planned(
        _ expect: String, _ layer: String, passcode: String? = nil,
        _ change: (inout KeybagWriter) throws -> Void = { _ in }
    ) throws -> VectorFile {
        var writer = try KeybagWriter(passcode: passcode)
        let key = writer.slots[0].key
        try change(&writer)
        var vector = try home(expect, layer, writer)
        // What the class key of `complete` is, for those that open.
        if layer == "none" { vector.header["complete"] = VectorFile.text(key) }
        return vector
    }

    private static func good() throws -> [String: VectorFile] {
        [
            "good-without-passcode": try planned("opens", "none"),
            "good-with-passcode": try planned("unlocks", "none", passcode: "p\u{E4}sscode"),
            "good-with-retired-keys": try planned("opens", "none") { try $0.retire() },
            "good-with-keys-of-files": try planned("unlocks", "none", passcode: "1234") { writer in
                try writer.retire()
                for index in writer.slots.indices where writer.slots[index].kind <= 2 { writer.slots[index].files = 1 }
            },
            "good-erases-after-10": try planned("opens", "none") { $0.eraseAfter = 10 },
        ]
    }

    /// A passcode that is bound to a TPM, which isn't there.
    private static func bound() throws -> [String: VectorFile] {
        func bound(
            _ expect: String, _ layer: String, _ change: (inout KeybagWriter) throws -> Void = { _ in }
        ) throws -> VectorFile {
            try planned(expect, layer, passcode: "1234") { writer in
                writer.flags = 3
                writer.binding = KeybagWriter.Binding()
                try change(&writer)
            }
        }
        var good = try bound("tpmUnreachable: can't be reached", "none")
        // What opens it all the same.
        good.header["recovery"] = letters(KeybagWriter.Binding().recovery)
        let counter = [0x01, 0x80, 0, 7] + KeybagWriter.pattern(67, 32) + [0, 0, 0, 0, 0, 0, 0, 9]
        var counted = try bound("tpmUnreachable: can't be reached", "none") { writer in
            writer.version = 2
            writer.binding?.counter = counter
        }
        counted.header["recovery"] = good.header["recovery"]
        return [
            "bound-to-a-chip": good,
            "bound-to-a-counter": counted,
            "bound-to-a-counter-by-version-1": try bound(malformed, "form") { $0.binding?.counter = counter },
            "bound-to-a-counter-cut-short": try bound(malformed, "form") { writer in
                writer.version = 2
                writer.binding?.counter = counter.dropLast()
            },
            "bound-without-flag": try bound(malformed, "form") { $0.flags = 1 },
            "bound-without-binding": try bound(malformed, "form") { $0.binding = nil },
            "bound-without-passcode": try planned("damaged: outside what is accepted", "form") { writer in
                (writer.flags, writer.binding) = (3, KeybagWriter.Binding())
            },
            "bound-with-registers": try bound(malformed, "form") { $0.binding?.registers = 128 },
            "bound-by-no-way": try bound(malformed, "form") { $0.binding?.way = "chip:/nowhere" },
            "bound-length-too-high": try bound(malformed, "form") { $0.binding?.length = 4096 },
            "bound-object-too-long": try bound(malformed, "form") { writer in
                writer.binding?.privateArea = KeybagWriter.pattern(63, 513)
            },
        ]
    }

    /// As a recovery code is typed.
    private static func letters(_ seed: [UInt8]) -> String {
        let bits = seed.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        return String(
            stride(from: 0, to: bits.count, by: 5).map { start in
                alphabet[bits[start..<start + 5].reduce(0) { $0 << 1 | Int($1) }]
            })
    }

    /// Step 1: size, magic, version, limits, reserved bytes.
    private static func form() throws -> [String: VectorFile] {
        let layer = "form"
        var vectors = [
            "magic": try planned(malformed, layer) { $0.magic[0] ^= 0x20 },
            "version-0": try planned(malformed, layer) { $0.version = 0 },
            "version-2-without-counter": try planned(malformed, layer) { $0.version = 2 },
            "version-3": try planned("newerFormat: newer version", layer) { $0.version = 3 },
            "epoch-slot-2": try planned(malformed, layer) { $0.epochSlot = 2 },
            "flag-unknown": try planned(malformed, layer) { $0.flags = 2 },
            "header-reserved-not-zero": try planned(malformed, layer) { $0.reserved[3] = 1 },
            "generation-0": try planned(malformed, layer) { $0.generation = 0 },
            "parameters-without-passcode": try planned(malformed, layer) { $0.parameters[0] = 17 },
            "salt-without-passcode": try planned(malformed, layer) { $0.salt[0] = 1 },
            "count-too-high": try planned(malformed, layer) { $0.count = 13 },
            "count-too-low": try planned(malformed, layer) { $0.count = 11 },
            "count-65535": try planned(malformed, layer) { $0.count = 65535 },
            "cut-by-one": try edited("keybag", malformed, layer) { $0.removeLast() },
            "cut-in-header": try edited("keybag", malformed, layer) { $0 = Array($0.prefix(95)) },
            "one-byte-more": try edited("keybag", malformed, layer) { $0.append(0) },
            "empty": try edited("keybag", malformed, layer) { $0 = [] },
            "above-size-limit": try edited("keybag", malformed, layer) { $0 += KeybagWriter.zeros(40_000) },
        ]
        let refused = "damaged: outside what is accepted"
        for (name, place, value) in [
            ("log-rounds-15", 0, 15), ("log-rounds-21", 0, 21), ("log-rounds-255", 0, 255), ("block-size-7", 1, 7),
            ("block-size-9", 1, 9), ("parallelism-0", 2, 0), ("parallelism-5", 2, 5),
        ] as [(String, Int, UInt8)] {
            vectors[name] = try planned(refused, layer, passcode: "1234") { $0.parameters[place] = value }
        }
        return vectors
    }

    /// Step 1: which slots there are.
    private static func table() throws -> [String: VectorFile] {
        let layer = "table"
        return [
            "slot-reserved-not-zero": try planned(malformed, layer) { $0.slots[0].reserved[0] = 1 },
            "files-2": try planned(malformed, layer) { $0.slots[0].files = 2 },
            "authenticity-key-of-files": try planned(malformed, layer) { $0.slots[8].files = 1 },
            "metadata-key-of-files": try planned(malformed, layer) { $0.slots[10].files = 1 },
            "kind-0": try planned(malformed, layer) { $0.slots[0].kind = 0 },
            "kind-6": try planned(malformed, layer) { $0.slots[0].kind = 6 },
            "class-0": try planned(malformed, layer) { $0.slots[0].code = 0 },
            "class-6": try planned(malformed, layer) { $0.slots[0].code = 6 },
            "class-5-without-device-only": try planned(malformed, layer, passcode: "1234") { $0.slots[12].code = 5 },
            "class-key-of-complete-unless-open": try planned(malformed, layer) { $0.slots[0].code = 2 },
            "wrong-root": try planned(malformed, layer) { $0.slots[0].root = 0 },
            "root-2": try planned(malformed, layer) { $0.slots[0].root = 2 },
            "retired-2": try planned(malformed, layer) { $0.slots[0].retired = 2 },
            "code-of-a-current-slot": try planned(malformed, layer) {
                $0.slots[0].retiredCode = KeybagWriter.pattern(9, 16)
            },
            "retired-without-current": try planned(malformed, layer) { $0.slots[0].retired = 1 },
            "retired-metadata-key": try planned(malformed, layer) { writer in
                writer.slots.append(try KeybagWriter.slot(kind: 4, code: 4, root: 0, id: 99, seed: 99))
                writer.slots[12].retired = 1
            },
            "id-0": try planned(malformed, layer) { $0.slots[0].id = 0 },
            "id-twice": try planned(malformed, layer) { $0.slots[0].id = 2 },
            "slot-missing": try planned(malformed, layer) { $0.slots.removeLast() },
            "slot-double": try planned(malformed, layer) { writer in
                writer.slots.append(try KeybagWriter.slot(kind: 1, code: 1, root: 1, id: 99, seed: 99))
            },
            "class-key-with-public-key": try planned(malformed, layer) { $0.slots[0].publicKey[0] = 1 },
            "pair-without-public-key": try planned(malformed, layer) { $0.slots[6].publicKey = KeybagWriter.zeros(32) },
            "pair-with-another-authenticity-key": try planned(malformed, layer) { $0.slots[8].id = 99 },
            "when-passcode-set-without-passcode": try planned(malformed, layer) { writer in
                writer.slots.append(try KeybagWriter.slot(kind: 1, code: 0x85, root: 1, id: 99, seed: 99))
            },
            "access-control-without-passcode": try planned(malformed, layer) { writer in
                writer.slots.append(try KeybagWriter.slot(kind: 5, code: 0, root: 1, id: 99, seed: 99))
            },
            "access-control-with-class": try planned(malformed, layer, passcode: "1234") { $0.slots[13].code = 1 },
            "access-control-without-public-key": try planned(malformed, layer, passcode: "1234") {
                $0.slots[13].publicKey = KeybagWriter.zeros(32)
            },
            "257-slots": try planned(malformed, layer) { writer in
                for number in 0..<245 {
                    var slot = try KeybagWriter.slot(kind: 1, code: 1, root: 1, id: UInt64(1000 + number), seed: 99)
                    slot.retired = 1
                    writer.slots.append(slot)
                }
            },
        ]
    }

    /// Step 3: the HMAC, and which message the tags choose.
    private static func authentication() throws -> [String: VectorFile] {
        func changed(_ words: String, _ change: (inout [UInt8]) -> Void) throws -> VectorFile {
            try edited("keybag", "damaged: \(words)", "HMAC", change)
        }
        return [
            "header-changed": try changed("header of") { $0[55] ^= 2 },
            "header-tag-changed": try changed("header of") { $0[80] ^= 1 },
            "slot-changed": try changed("class key of complete in") { $0[96 + 60] ^= 1 },
            "slot-tag-changed": try changed("class key of complete in") { $0[96 + 125] ^= 1 },
            "check-value-changed": try changed("class key of complete in") { $0[96 + 90] ^= 1 },
            "two-slots-changed": try changed("several keys") { bytes in
                bytes[96 + 60] ^= 1
                bytes[232 + 60] ^= 1
            },
            "public-key-changed": try changed("public or private key") { $0[96 + 6 * 136 + 20] ^= 1 },
            "wrapped-keys-exchanged": try changed("several keys") { bytes in
                for offset in 48..<88 { bytes.swapAt(96 + offset, 232 + offset) }
            },
            "slots-exchanged": try changed("exchanged, added") { bytes in
                for offset in 0..<136 { bytes.swapAt(96 + offset, 232 + offset) }
            },
            "person-code-changed": try changed("exchanged, added") { $0[$0.count - 40] ^= 1 },
            "hmac-changed": try changed("exchanged, added") { $0[$0.count - 1] ^= 1 },
            "keybag-identifier-changed": try changed("of another home") { $0[40] ^= 1 },
        ]
    }

    /// Step 4 and 5: a right HMAC, as can be made with device secret and epoch.
    private static func passcode() throws -> [String: VectorFile] {
        func unlocking(_ words: String, _ change: (inout KeybagWriter) throws -> Void) throws -> VectorFile {
            try planned(words, "unlocking", passcode: "1234", change)
        }
        var wrong = try planned("wrongPasscode: wrong passcode", "unlocking", passcode: "1234")
        wrong.header["passcode"] = "1235"
        return [
            "wrong-passcode": wrong,
            "public-key-of-another-pair": try unlocking("damaged: public or private key") {
                $0.slots[6].publicKey = try KeybagWriter.slot(kind: 2, code: 2, root: 1, id: 1, seed: 77).publicKey
            },
            "access-control-public-key-of-another-pair": try unlocking("damaged: access-control key") {
                $0.slots[13].publicKey = try KeybagWriter.slot(kind: 5, code: 0, root: 1, id: 1, seed: 77).publicKey
            },
            "wrapped-key-of-another-slot": try unlocking("damaged: class key of complete, this device only") { writer in
                // Wrapped for another class and id under the same root.
                var file = try writer.keybagFile()
                file = Array(file[(96 + 2 * 136 + 48)..<(96 + 2 * 136 + 88)])
                writer.slots[1].wrapped = file
            },
            "wrapped-key-garbage": try unlocking("damaged: access-control key") {
                $0.slots[13].wrapped = KeybagWriter.pattern(9, 40)
            },
        ]
    }

    /// Step 5: what can be changed with the device secret and without the passcode, with the HMAC made again.
    private static func forged() throws -> [String: VectorFile] {
        func unlocking(_ words: String, _ change: (inout KeybagWriter) throws -> Void) throws -> VectorFile {
            try planned("damaged: \(words)", "unlocking", passcode: "1234") { writer in
                writer.person = try writer.personCode()
                try change(&writer)
            }
        }
        func exchange(_ number: Int, _ writer: inout KeybagWriter) throws {
            let slot = writer.slots[number]
            let other = try KeybagWriter.slot(kind: slot.kind, code: slot.code, root: slot.root, id: slot.id, seed: 77)
            writer.slots[number] = other
            // Without the passcode no key can be wrapped under its root.
            if slot.root == 1 { writer.slots[number].wrapped = KeybagWriter.pattern(9, 40) }
        }
        let list = "limits, or which keys there are"
        return [
            "forged-access-control-key": try unlocking("access-control key (public") { try exchange(13, &$0) },
            "forged-complete-unless-open-key": try unlocking("class key pair of completeUnlessOpen (public") {
                try exchange(6, &$0)
            },
            "forged-class-key": try unlocking("class key of complete in") { try exchange(0, &$0) },
            "forged-class-key-of-none": try unlocking(list) { try exchange(4, &$0) },
            "forged-authenticity-key": try unlocking(list) { try exchange(8, &$0) },
            "forged-metadata-key-of-none": try unlocking(list) { try exchange(11, &$0) },
            "forged-limit": try unlocking(list) { $0.eraseAfter = 5 },
            "forged-order": try unlocking(list) { $0.slots.swapAt(0, 1) },
            "forged-check-value": try unlocking("class key of complete in") {
                $0.slots[0].check = KeybagWriter.pattern(9, 16)
            },
            "forged-check-value-of-none": try planned("damaged: class key of none in", "HMAC") {
                $0.slots[4].check = KeybagWriter.pattern(9, 16)
            },
            "forged-retired-key": try unlocking("class key of none in") { writer in
                try writer.retire()
                writer.slots[18].retiredCode = KeybagWriter.pattern(9, 16)
            },
            "forged-code": try unlocking(list) { $0.person = KeybagWriter.pattern(9, 32) },
            "of-another-user": try planned("damaged: that of another user", "HMAC") {
                $0.owner = KeybagWriter.pattern(8, 32)
            },
        ]
    }

    /// The counter: everything but a valid one is the longest delay.
    private static func attempts() throws -> [String: VectorFile] {
        func counted(_ change: (inout [UInt8]?) throws -> Void) throws -> VectorFile {
            var vector = try planned("tooManyAttempts: 60 minutes", "attempts", passcode: "1234")
            try change(&vector.files["attempts"])
            return vector
        }
        let writer = try KeybagWriter(passcode: "1234")
        return [
            "attempts-missing": try counted { $0 = nil },
            "attempts-short": try counted { $0?.removeLast() },
            "attempts-long": try counted { $0?.append(0) },
            "attempts-changed": try counted { $0?[15] ^= 1 },
            "attempts-code-changed": try counted { $0?[71] ^= 1 },
            "attempts-nine": try counted { $0 = try writer.attemptsFile(failures: 9) },
            "attempts-four": try planned("unlocks", "none", passcode: "1234").replacing(
                "attempts", with: try writer.attemptsFile(failures: 4)
            ),
        ]
    }
}

extension VectorFile {
    fileprivate func replacing(_ name: String, with bytes: [UInt8]) -> VectorFile {
        var vector = self
        vector.files[name] = bytes
        return vector
    }
}
