// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// The entries for the access log (Documentation/Formats/AccessLog.md).
extension ItemStore {
    /// Records that the secrets of these items are about to be returned. Errors: those of writing the record, if the
    /// settings require one.
    func note(
        _ items: [ItemRecord], source: AccessSource, _ operation: AccessOperation = .read
    ) throws(DataProtectionError) {
        guard accesses.isOn else { return }
        try accesses.note(items.compactMap { $0.use(source, operation) })
    }
}

extension ItemRecord {
    /// Nil if there is no secret, or it is public: a certificate, the public half of a pair.
    fileprivate func use(_ source: AccessSource, _ operation: AccessOperation) -> AccessUse? {
        guard secret != nil, let persistentReference else { return nil }
        return AccessUse(itemClass, attributes, persistentReference, source, operation)
    }
}

extension AccessUse {
    /// Nil if the content of such an item is public.
    init?(
        _ itemClass: ItemClass, _ attributes: Attributes, _ reference: PersistentReference, _ source: AccessSource,
        _ operation: AccessOperation
    ) {
        guard itemClass != .certificate, itemClass != .key || attributes[.keyClass] != .number(0) else { return nil }
        var item: [UInt8] = []
        if case .uuid(let uuid) = reference.target { item = uuid }
        self.init(
            itemClass: (itemClass == .identity ? ItemClass.key : itemClass).kind ?? 0, item: item,
            name: Self.name(attributes), source: source, operation: operation)
    }

    /// Service or server and account, otherwise the label; empty without these.
    package static func name(_ attributes: Attributes) -> String {
        func text(_ name: AttributeName) -> String {
            if case .text(let text) = attributes[name] { text } else { "" }
        }
        let place = text(.service).isEmpty ? text(.server) : text(.service)
        guard !place.isEmpty else { return text(.label) }
        return text(.account).isEmpty ? place : "\(place)/\(text(.account))"
    }
}
