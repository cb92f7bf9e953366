// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI) && canImport(UIKit) && !os(tvOS) && !os(watchOS)
import InterfaceProtection
import SwiftUI

/// Tells a SwiftUI view whether the field of its `SecretInput` is empty. Made by SwiftUI.
@MainActor
public final class SecretInputCoordinator {
    private weak var field: SecretField?
    private var observation: SecretField.Observation?
    private var isEmpty: Binding<Bool>?

    func follow(_ field: SecretField, _ isEmpty: Binding<Bool>?) {
        self.isEmpty = isEmpty
        guard self.field !== field else { return }
        observation?.cancel()
        self.field = field
        // Later, since a view must not change its state while it is updated.
        observation = field.onChange { [weak self] in Task { @MainActor in self?.tell() } }
        Task { tell() }
    }

    func end() { observation?.cancel() }

    private func tell() {
        guard let isEmpty, let field, isEmpty.wrappedValue != field.isEmpty else { return }
        isEmpty.wrappedValue = field.isEmpty
    }
}
#endif
