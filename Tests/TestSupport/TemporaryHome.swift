// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Files
import Foundation
package import SecretMemory

/// A home in a folder of its own, removed with this object.
package final class TemporaryHome: Sendable {
    package let path: String

    private let isRemoved: Bool

    package init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-test-\(UUID().uuidString)").path
        isRemoved = true
    }

    /// One that is there already, and stays.
    package init(at path: String) {
        self.path = path
        isRemoved = false
    }

    deinit { if isRemoved { try? FileManager.default.removeItem(atPath: path) } }

    /// A cheap KDF, keys in this process, one access group "test".
    package var configuration: Home.Configuration { Self.configuration(of: path) }

    package static func configuration(of path: String) -> Home.Configuration {
        var configuration = Home.Configuration()
        configuration.folder = path
        configuration.identity = ApplicationIdentity(applicationIdentifier: "test", accessGroups: ["test"])
        configuration.usesInsecureKDF = true
        configuration.holder = .process
        configuration.environment = { _ in nil }
        return configuration
    }

    package func open(_ change: (inout Home.Configuration) -> Void = { _ in }) throws -> Home {
        var configuration = configuration
        change(&configuration)
        return try Home(configuration)
    }

    package func open(groups: [String]) throws -> Home {
        try open { $0.identity = ApplicationIdentity(applicationIdentifier: "test", accessGroups: groups) }
    }

    /// The names of the files in the folder, sorted.
    package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

extension Home.Configuration {
    /// Runs `body` once, in the middle of an unlock: after the passcode was found to be right and before its keys are
    /// published. There the counter of wrong attempts is written the second time.
    package mutating func onceBetweenPasscodeAndKeys(_ body: @escaping @Sendable () -> Void) {
        let writes = Locked(0)
        fileSystem = FileHooks { step in
            guard step.operation == .write, step.name == "attempts" else { return 0 }
            let count = writes.withLock {
                $0 += 1
                return $0
            }
            if count == 2 { body() }
            return 0
        }
    }
}

extension Secret {
    /// A secret of UTF-8 text.
    package convenience init(_ text: String) throws { try self.init(copying: Array(text.utf8)) }

    /// The bytes, for comparisons.
    package var exposedBytes: [UInt8] {
        (try? withBytes { span in (0..<span.byteCount).map { span.byte($0) } }) ?? []
    }
}

extension RawSpan {
    fileprivate func byte(_ offset: Int) -> UInt8 { bigEndian(at: offset, as: UInt8.self) ?? 0 }
}

/// The error that `body` throws; nil if it throws none.
package func failure<E: Error, R>(_ type: E.Type = E.self, _ body: () throws -> R) -> E? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? E
    }
}

extension SecretBytes {
    /// Bytes of UTF-8 text.
    package init(text: String) throws { try self.init(copying: Array(text.utf8)) }
}

/// A passcode, or another secret of UTF-8 text.
package func secret(_ text: String) throws -> SecretBytes { try SecretBytes(text: text) }
