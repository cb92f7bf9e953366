// SPDX-License-Identifier: Apache-2.0

package import Statuses

extension KeychainError.Code {
    /// Apple's name of the code, `errSecItemNotFound` for example; nil if it has none here.
    public var name: String? { Status(rawValue: rawValue).name }

    /// The meaning of the code, in one sentence.
    public var meaning: String { Status(rawValue: rawValue).meaning }

    /// The code with Apple's name; nil if there is none here.
    public init?(name: String) {
        guard let row = Status.table.first(where: { $0.name == name }) else { return nil }
        self.init(rawValue: row.rawValue)
    }

    /// Every code that has a name, in descending order of the raw values.
    public static var named: [Self] { Status.table.map { Self(rawValue: $0.rawValue) } }
}

extension KeychainError.Code: StatusCode {
    /// Same as `named`.
    package static var all: [Self] { named }
    /// Apple's name, or the number.
    package var codeName: String { name ?? "\(rawValue)" }
    /// The status with this code.
    package var status: Status? { Status(rawValue: rawValue) }
}
