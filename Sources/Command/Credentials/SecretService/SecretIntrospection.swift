// SPDX-License-Identifier: Apache-2.0

extension SecretService {
    /// An object's interfaces as XML (D-Bus Specification, "Introspection Data Format").
    /// Only the service lists children, its collections. Clients get all other objects by calls.
    func introspection(_ call: BusCall, _ place: SecretObject) throws(BusFailure) -> String {
        guard call.member == "Introspect", call.signature.isEmpty else { throw .unknownMethod(call.member.printable) }
        let interface =
            switch place {
            case .service: Self.serviceXML
            case .collection, .alias: Self.collectionXML
            case .item, .aliasItem: Self.itemXML
            case .session: "<interface name=\"\(Self.session)\"><method name=\"Close\"/></interface>"
            case .prompt: Self.promptXML
            case .between: ""
            }
        return """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>\(interface)\(place == .between ? "" : Self.propertiesXML)\(children(place))</node>
            """
    }

    private func children(_ place: SecretObject) -> String {
        guard place == .service else { return "" }
        let names = items.knownCollections().map(\.name) + [SecretMemoryItems.collection]
        return names.map { "<node name=\"collection/\($0)\"/>" }.joined()
    }

    private static func method(_ name: String, _ arguments: [(String, String, String)]) -> String {
        let list = arguments.map { "<arg name=\"\($0.0)\" type=\"\($0.1)\" direction=\"\($0.2)\"/>" }.joined()
        return "<method name=\"\(name)\">\(list)</method>"
    }

    private static func signal(_ name: String, _ arguments: [(String, String)]) -> String {
        "<signal name=\"\(name)\">\(arguments.map { "<arg name=\"\($0.0)\" type=\"\($0.1)\"/>" }.joined())</signal>"
    }

    private static func property(_ name: String, _ type: String, _ access: String = "read") -> String {
        "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\"/>"
    }

    private static func interface(_ name: String, _ parts: [String]) -> String {
        "<interface name=\"\(name)\">\(parts.joined())</interface>"
    }

    private static var serviceXML: String {
        interface(
            service,
            [
                method(
                    "OpenSession",
                    [
                        ("algorithm", "s", "in"), ("input", "v", "in"), ("output", "v", "out"),
                        ("result", "o", "out"),
                    ]),
                method(
                    "CreateCollection",
                    [
                        ("properties", "a{sv}", "in"), ("alias", "s", "in"), ("collection", "o", "out"),
                        ("prompt", "o", "out"),
                    ]),
                method(
                    "SearchItems",
                    [("attributes", "a{ss}", "in"), ("unlocked", "ao", "out"), ("locked", "ao", "out")]),
                method("Unlock", [("objects", "ao", "in"), ("unlocked", "ao", "out"), ("prompt", "o", "out")]),
                method("Lock", [("objects", "ao", "in"), ("locked", "ao", "out"), ("prompt", "o", "out")]),
                method("LockService", []),
                method(
                    "GetSecrets",
                    [("items", "ao", "in"), ("session", "o", "in"), ("secrets", "a{o(oayays)}", "out")]),
                method("ReadAlias", [("name", "s", "in"), ("collection", "o", "out")]),
                method("SetAlias", [("name", "s", "in"), ("collection", "o", "in")]),
                signal("CollectionCreated", [("collection", "o")]), signal("CollectionDeleted", [("collection", "o")]),
                signal("CollectionChanged", [("collection", "o")]), property("Collections", "ao"),
            ])
    }

    private static var collectionXML: String {
        interface(
            collection,
            [
                method("Delete", [("prompt", "o", "out")]),
                method("SearchItems", [("attributes", "a{ss}", "in"), ("results", "ao", "out")]),
                method(
                    "CreateItem",
                    [
                        ("properties", "a{sv}", "in"), ("secret", "(oayays)", "in"), ("replace", "b", "in"),
                        ("item", "o", "out"), ("prompt", "o", "out"),
                    ]),
                signal("ItemCreated", [("item", "o")]), signal("ItemDeleted", [("item", "o")]),
                signal("ItemChanged", [("item", "o")]), property("Items", "ao"),
                property("Label", "s", "readwrite"), property("Locked", "b"), property("Created", "t"),
                property("Modified", "t"),
            ])
    }

    private static var itemXML: String {
        interface(
            item,
            [
                method("Delete", [("prompt", "o", "out")]),
                method("GetSecret", [("session", "o", "in"), ("secret", "(oayays)", "out")]),
                method("SetSecret", [("secret", "(oayays)", "in")]), property("Locked", "b"),
                property("Attributes", "a{ss}", "readwrite"), property("Label", "s", "readwrite"),
                property("Type", "s"), property("Created", "t"), property("Modified", "t"),
            ])
    }

    private static var promptXML: String {
        interface(
            prompt,
            [
                method("Prompt", [("window-id", "s", "in")]), method("Dismiss", []),
                signal("Completed", [("dismissed", "b"), ("result", "v")]),
            ])
    }

    private static var propertiesXML: String {
        let properties = "org.freedesktop.DBus.Properties"
        return interface(
            properties,
            [
                method("Get", [("interface", "s", "in"), ("name", "s", "in"), ("value", "v", "out")]),
                method("GetAll", [("interface", "s", "in"), ("values", "a{sv}", "out")]),
                method("Set", [("interface", "s", "in"), ("name", "s", "in"), ("value", "v", "in")]),
                signal("PropertiesChanged", [("interface", "s"), ("changed", "a{sv}"), ("invalidated", "as")]),
            ])
    }
}
