// SPDX-License-Identifier: Apache-2.0

extension SecretService {
    func property(_ call: BusCall, _ place: SecretObject) throws -> [BusValue] {
        switch (call.member, call.signature) {
        case ("Get", "ss"):
            let (interface, name) = (call.arguments[0].text ?? "", call.arguments[1].text ?? "")
            guard let value = try values(place, interface, asked: name).first(where: { $0.0 == name })?.1 else {
                throw BusFailure.unknownProperty(name.printable)
            }
            return [.variant(value)]
        case ("GetAll", "s"): return [.properties(try values(place, call.arguments[0].text ?? "", asked: nil))]
        case ("Set", "ssv"):
            try set(
                place, call.arguments[0].text ?? "", call.arguments[1].text ?? "",
                call.arguments[2].content ?? .text(""))
            return []
        case ("Get", _), ("GetAll", _), ("Set", _): throw BusFailure.arguments("\(call.member) takes other arguments")
        default: throw BusFailure.unknownMethod(call.member.printable)
        }
    }

    /// All properties of an interface. `asked`: the requested one. Nil: all that are readable.
    private func values(_ place: SecretObject, _ interface: String, asked: String?) throws -> [(String, BusValue)] {
        switch place {
        case .service:
            guard interface == Self.service || interface.isEmpty else { return [] }
            let names = items.knownCollections().map(\.name) + [SecretMemoryItems.collection]
            return [("Collections", .paths(names.map { SecretObject.collection($0).path }))]
        case .collection, .alias:
            let known = try collection(place)
            guard interface == Self.collection || interface.isEmpty else { return [] }
            return try values(known, asked: asked)
        case .item(_, let account):
            let item = try knownItem(account)
            guard interface == Self.item || interface.isEmpty else { return [] }
            return values(item)
        case .aliasItem, .session, .prompt, .between: return []
        }
    }

    private func values(_ collection: SecretCollection, asked: String?) throws -> [(String, BusValue)] {
        let isInMemory = collection.name == SecretMemoryItems.collection
        var accounts: [String] = []
        if isInMemory {
            accounts = memory.accounts
        } else if asked == "Items" || items.isKnown && asked == nil {
            // Before the first unlock the items can't be read. A request for `Items` alone gets the error.
            // A request for all properties still gets `Locked`.
            accounts = try items.accounts(in: collection.name)
        }
        return [
            ("Items", .paths(accounts.map { SecretObject.item($0).path })), ("Label", .text(collection.label)),
            ("Locked", .boolean(!isInMemory && items.isLocked)), ("Created", .count(collection.created)),
            ("Modified", .count(collection.modified)),
        ]
    }

    private func values(_ item: SecretItem) -> [(String, BusValue)] {
        [
            ("Locked", .boolean(!SecretMemoryItems.holds(item.account) && items.isLocked)),
            ("Attributes", .attributes(item.attributes)), ("Label", .text(item.label)),
            ("Type", .text(item.attributes["xdg:schema"] ?? "")), ("Created", .count(item.created)),
            ("Modified", .count(item.modified)),
        ]
    }

    private func set(_ place: SecretObject, _ interface: String, _ name: String, _ value: BusValue) throws {
        switch (place, name) {
        case (.collection, "Label"), (.alias, "Label"):
            guard interface == Self.collection else { throw BusFailure.unknownProperty(name) }
            var known = try collection(place)
            guard known.name != SecretMemoryItems.collection else { throw BusFailure.readOnly(name) }
            known.label = try text(value, name) ?? ""
            guard !items.isLocked else { throw BusFailure.locked }
            try items.record(known)
            changed(known.path, Self.collection, name, .text(known.label))
            tell(SecretObject.root, Self.service, "CollectionChanged", known.path)
        case (.item(_, let account), "Label"):
            guard interface == Self.item else { throw BusFailure.unknownProperty(name) }
            let label = try text(value, name) ?? ""
            try change(account, nil) { $0.label = label }
            changed(SecretObject.item(account).path, Self.item, name, .text(label))
        case (.item(_, let account), "Attributes"):
            guard interface == Self.item else { throw BusFailure.unknownProperty(name) }
            let attributes = try lookupAttributes(value)
            try change(account, nil) { $0.attributes = attributes }
            changed(SecretObject.item(account).path, Self.item, name, .attributes(attributes))
        default:
            guard try values(place, interface, asked: nil).contains(where: { $0.0 == name }) else {
                throw BusFailure.unknownProperty(name.printable)
            }
            throw BusFailure.readOnly(name)
        }
    }
}
