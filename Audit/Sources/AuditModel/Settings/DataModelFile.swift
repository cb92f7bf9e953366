// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A version of a Core Data model: `contents` of an `.xcdatamodel` folder.
package struct DataModelFile: Sendable {
    package let path: String
    package let entities: [Entity]
    let isDamaged: Bool

    package struct Entity: Sendable {
        package let name: String
        /// The class of its objects; Xcode writes it where the sources have none.
        package let className: String
        package let attributes: [Attribute]
    }

    package struct Attribute: Sendable {
        package let name: String
        /// `String`, `Binary`, `Transformable`, `Boolean`, `Integer 64` and others.
        package let type: String
        /// Never stored.
        package let isTransient: Bool
        /// What turns the value into what is stored.
        package let transformer: String?
        package let place: Place
    }

    init(path: String, bytes: [UInt8]) {
        let document = XMLDocument(bytes)
        self.path = path
        entities = document.elements.filter { $0.name == "entity" }.map { entity in
            Entity(
                name: entity["name"] ?? "", className: Self.plain(entity["representedClassName"] ?? ""),
                attributes: document.children(of: entity, named: "attribute").map { attribute in
                    Attribute(
                        name: attribute["name"] ?? "", type: attribute["attributeType"] ?? "",
                        isTransient: attribute["transient"] == "YES",
                        transformer: attribute["valueTransformerName"],
                        place: Place(file: path, line: attribute.line, column: attribute.column))
                })
        }
        isDamaged = document.isDamaged || document.elements.isEmpty
    }

    /// `.Account` and `App.Account` are `Account`.
    private static func plain(_ name: String) -> String { String(name.split(separator: ".").last ?? "") }

    /// The folder of a model with several versions, and which of them this is; nil for a model without.
    var version: (of: String, name: String)? {
        let parts = path.split(separator: "/")
        guard parts.count > 2, parts[parts.count - 3].hasSuffix(".xcdatamodeld") else { return nil }
        return (parts.dropLast(2).joined(separator: "/"), String(parts[parts.count - 2]))
    }

    /// Those that apps are built with: of each model the version that its folder calls the present one.
    static func current(_ models: [DataModelFile], _ lists: [PropertyListFile]) -> [DataModelFile] {
        var names: [String: String] = [:]
        for list in lists {
            names[list.path.split(separator: "/").dropLast().joined(separator: "/")] =
                list.entry("_XCCurrentVersionName")?.text
        }
        return models.filter { model in
            guard let (folder, name) = model.version, let current = names[folder] else { return true }
            return name == current
        }
    }
}
