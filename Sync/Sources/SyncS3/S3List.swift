// SPDX-License-Identifier: Apache-2.0

import SyncEngines

/// The answer to ListObjectsV2: of its XML only the names and sizes, which hold no markup where the names are ours.
struct S3List {
    struct Object {
        let key: String
        let isEmpty: Bool
    }

    let objects: [Object]

    init(_ bytes: [UInt8]) throws(SyncEngineError) {
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("<ListBucketResult") else {
            throw SyncEngineError(.damaged, "the endpoint's answer is not a list of objects")
        }
        var objects: [Object] = []
        var rest = Substring(text)
        while let contents = Self.element("Contents", in: &rest) {
            var inside = contents
            guard let key = Self.element("Key", in: &inside) else {
                throw SyncEngineError(.damaged, "an object without a name")
            }
            inside = contents
            objects.append(Object(key: Self.unescape(key), isEmpty: Self.element("Size", in: &inside) == "0"))
        }
        self.objects = objects
    }

    /// The text of the first element of this name.
    static func text(_ name: String, in bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var rest = Substring(text)
        return element(name, in: &rest).map(String.init)
    }

    private static func element(_ name: String, in rest: inout Substring) -> Substring? {
        guard let start = rest.firstRange(of: "<\(name)>"),
            let end = rest[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        defer { rest = rest[end.upperBound...] }
        return rest[start.upperBound..<end.lowerBound]
    }

    private static func unescape(_ text: Substring) -> String {
        var text = String(text)
        for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            text = text.split(separator: name, omittingEmptySubsequences: false).joined(separator: character)
        }
        return text
    }
}
