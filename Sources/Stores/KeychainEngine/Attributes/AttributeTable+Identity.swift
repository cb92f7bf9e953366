// SPDX-License-Identifier: Apache-2.0

import Sealing

extension AttributeTable {
    /// What makes an item unique in its class: the canonical bytes of all primary attributes, an unset one as none.
    func identityBytes(of attributes: Attributes) -> [UInt8] {
        var writer = ByteWriter()
        for attribute in primary {
            writer.prefixed(attributes[attribute.name].map { attribute.canonicalBytes(of: $0) } ?? [])
        }
        return writer.bytes
    }

    /// The canonical bytes of an index's attributes; nil if one of them is not set.
    func indexBytes(of attributes: Attributes, _ index: ItemIndex) -> [UInt8]? {
        var writer = ByteWriter()
        for name in index.attributes {
            guard let value = attributes[name], let attribute = self[name] else { return nil }
            writer.prefixed(attribute.canonicalBytes(of: value))
        }
        return writer.bytes
    }

    /// Whether an item with `attributes` meets every condition. An attribute that is not set meets none.
    func matches(_ attributes: Attributes, _ conditions: Attributes) -> Bool {
        conditions.allSatisfy { name, wanted in
            guard let attribute = self[name] else { return false }
            if attribute.traits.contains(.ignored) || attribute.kind == .accessControl { return true }
            guard let value = attributes[name] else { return false }
            return attribute.equal(value, wanted)
        }
    }
}
