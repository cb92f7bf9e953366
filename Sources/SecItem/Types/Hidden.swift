// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// A value whose type belongs to a module that users of this one don't load; public types have it for a property (Decision 0014).
protocol Hidden: AnyObject, Sendable {}

final class HiddenValue<Value: Sendable>: Hidden {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension Hidden {
    /// The value; its type is the one that it was made with, which whoever asks must know.
    func value<Value: Sendable>(as _: Value.Type = Value.self) -> Value {
        guard let holder = self as? HiddenValue<Value> else { preconditionFailure("another type was hidden here") }
        return holder.value
    }
}
#endif
