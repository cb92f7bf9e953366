// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Foundation
import GRDB
import Zamok

/// A folder with a home, filled with generic passwords.
final class FilledHome {
    let folder: URL
    let keychain: Keychain

    init(count: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-bench-\(UUID().uuidString)")
        var configuration = Home.Configuration()
        configuration.folder = folder.appendingPathComponent("home").path
        configuration.identity = ApplicationIdentity(applicationIdentifier: "bench", accessGroups: ["bench"])
        keychain = Keychain(home: try Home(configuration))
        _ = try keychain.add(contentsOf: try (0..<count).map { try Self.item($0) })
    }

    static func item(_ number: Int) throws -> GenericPassword {
        GenericPassword(
            service: Sample.service(number), account: Sample.account(number), secret: try Secret(copying: Sample.secret)
        )
    }

    func lookup(_ number: Int) throws -> GenericPassword {
        try keychain.item(
            matching: KeychainQuery<GenericPassword>.account(Sample.account(number))
                .with(\.service, Sample.service(number)))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}

/// The floor of a durable write: 256 bytes behind the others, and a wait for the disk.
final class AppendedFile {
    private let file: FileHandle
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/zamok-append-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        self.file = file
    }

    func append() throws {
        try file.write(contentsOf: Data(repeating: 1, count: 256))
        fdatasync(file.fileDescriptor)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

let sizes = [100, 1_000, 10_000, 100_000]

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], maxDuration: .seconds(3), maxIterations: 200)
    let samples = 500

    for size in sizes {
        Benchmark("lookup_plain_\(size)") { benchmark in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let table = try PlainTable(folder: folder, count: size)
            for _ in 0..<20 {
                benchmark.startMeasurement()
                for step in 0..<samples { blackHole(try table.lookup(step * 7919 % size)) }
                benchmark.stopMeasurement()
            }
        }

        Benchmark("lookup_\(size)") { benchmark in
            let filled = try FilledHome(count: size)
            for _ in 0..<20 {
                benchmark.startMeasurement()
                for step in 0..<samples { blackHole(try filled.lookup(step * 7919 % size)) }
                benchmark.stopMeasurement()
            }
        }

        Benchmark("add_\(size)") { benchmark in
            let filled = try FilledHome(count: size)
            benchmark.startMeasurement()
            for step in 0..<samples { blackHole(try filled.keychain.add(try FilledHome.item(size + step))) }
            benchmark.stopMeasurement()
        }

        Benchmark("update_\(size)") { benchmark in
            let filled = try FilledHome(count: size)
            var items = try (0..<samples).map { try filled.lookup($0 * 7919 % size) }
            benchmark.startMeasurement()
            for index in items.indices {
                items[index].secret = try Secret(copying: Data(repeating: UInt8(index % 256), count: 32))
                try filled.keychain.update(items[index])
            }
            benchmark.stopMeasurement()
        }
    }

    Benchmark("append_and_fdatasync") { benchmark in
        let file = try AppendedFile()
        benchmark.startMeasurement()
        for _ in 0..<samples { try file.append() }
        benchmark.stopMeasurement()
    }
}
