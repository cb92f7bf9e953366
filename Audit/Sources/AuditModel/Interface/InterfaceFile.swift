// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A storyboard or xib: its fields, and what the code calls them.
package struct InterfaceFile: Sendable {
    package let path: String
    package let fields: [InterfaceField]
    package let outlets: [Outlet]
    package let actions: [Action]
    /// Whether a part could not be read.
    package let isDamaged: Bool

    /// `<outlet property="passwordField" destination="...">`.
    package struct Outlet: Sendable {
        /// The class whose property it is; empty where the file names none.
        package let owner: String
        package let property: String
        /// The identifier of the object that it leads to.
        package let destination: String
        /// The name of that object's element: `textField`, `button`.
        package let destinationElement: String
        package let place: Place
    }

    /// `<action selector="login:" destination="...">`.
    package struct Action: Sendable {
        /// The class that it is sent to; empty for the first responder.
        package let target: String
        package let selector: String
        package let event: String
        /// The identifier of the object that sends it.
        package let sender: String
        package let place: Place
    }
}

/// A field into which text is typed.
package struct InterfaceField: Sendable {
    /// The identifier in the file.
    package let id: String
    /// `textField`, `textView`, `secureTextField`, `searchBar`.
    package let element: String
    package let customClass: String?
    package let placeholder: String
    /// What it holds before anything is typed.
    package let text: String
    /// The text of the label above it or beside it; empty where there is none.
    package let label: String
    /// The title of the scene that it is in; empty where there is none.
    package let scene: String
    /// `secureTextEntry`, `keyboardType`, `autocorrectionType`, `textContentType` and others.
    package let traits: [String: String]
    /// `userDefinedRuntimeAttributes`: key path and value.
    package let runtimeAttributes: [String: String]
    package let accessibilityIdentifier: String
    /// The class of the controller or view that it belongs to; empty where the file names none.
    package let owner: String
    package let place: Place
    /// Whether a person can see the content of it: it isn't hidden, transparent or smaller than a letter.
    package let isVisible: Bool
    /// Where an attribute can be put into `textInputTraits`; nil where there is none.
    package let traitsOffset: Int?

    package var isSecure: Bool {
        element == "secureTextField" || traits["secureTextEntry"] == "YES"
            || ["secureTextEntry", "isSecureTextEntry"].contains { runtimeAttributes[$0] == "YES" }
    }
    package var isNumeric: Bool {
        ["numberPad", "decimalPad", "phonePad", "asciiCapableNumberPad"].contains(traits["keyboardType"] ?? "")
    }
    /// Whether the keyboard learns no words here.
    package var isUncached: Bool {
        isSecure || traits["autocorrectionType"] == "no" || isNumeric
            || ["emailAddress", "URL"].contains(traits["keyboardType"] ?? "")
    }
}

extension InterfaceFile {
    /// The names by which code reaches a field.
    package func outlets(of field: InterfaceField) -> [Outlet] {
        outlets.filter { $0.destination == field.id && !field.id.isEmpty }
    }

    package init(path: String, bytes: [UInt8]) {
        let reader = InterfaceReader(path: path, document: XMLDocument(bytes))
        self.path = path
        fields = reader.fields()
        outlets = reader.outlets()
        actions = reader.actions()
        isDamaged = reader.document.isDamaged || reader.document.elements.isEmpty
    }
}
