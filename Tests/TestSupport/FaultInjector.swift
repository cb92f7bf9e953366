// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Makes a program under test meet faults at the calls that change its files: it is killed there, or the disk is full.
///
/// ```swift
/// let faults = try FaultInjector(folder: home)
/// let child = try Child("zamok", ["keychain", "add", ...], environment: faults.environment(kill: .after(7)))
/// ```
/// The log of a run without a fault has the number of calls to choose from: `WriteLog(contentsOf:).calls`.
/// The head of Preload/fault_injector.c says what is counted, and what isn't seen. Clang builds it when it is first
/// needed, and it is kept beside the tests. Linux with glibc only.
package struct FaultInjector: Sendable {
    /// Where to end the process, by SIGKILL. Calls are counted from 1, in each process.
    package enum Kill: Sendable {
        case before(Int)
        case after(Int)
    }

    /// What a call answers in place of doing its work.
    package enum Failure: String, Sendable {
        /// Calls that need space say that there is none.
        case noSpace = "ENOSPC"
        /// Any call fails, those that sync too.
        case io = "EIO"
        /// A write takes half of its bytes.
        case short = "SHORT"
    }

    /// Which calls fail.
    package enum Faults: Sendable {
        case at(Int, Failure)
        case from(Int, Failure)
    }

    package struct BuildFailure: Error, CustomStringConvertible {
        package let description: String
    }

    private let folder: String
    private let library: String

    /// For calls on files and folders at or below `folder`, which must exist.
    package init(folder: URL) throws {
        self.folder = folder.resolvingSymlinksInPath().path
        library = try FaultInjector.built.get()
    }

    /// The variables to start a program with. `program`: only in executables of that name, not in what they start.
    /// `sends`: whether sends over sockets count as calls, too. `stops`: it stops when it is done and about to end
    /// (``Child/awaitStop()``).
    package func environment(
        log: URL? = nil,
        kill: Kill? = nil,
        fail: Faults? = nil,
        sends: Bool = false,
        stops: Bool = false,
        program: String = ""
    ) -> [String: String] {
        var variables = [
            "LD_PRELOAD": library, "ZAMOK_FAULTS_PREFIX": folder, "ZAMOK_FAULTS_LOG": log?.path ?? "",
            "ZAMOK_FAULTS_PROGRAM": program, "ZAMOK_FAULTS_KILL": "", "ZAMOK_FAULTS_FAIL": "",
            "ZAMOK_FAULTS_SENDS": sends ? "1" : "", "ZAMOK_FAULTS_STOPS": stops ? "1" : "",
        ]
        switch kill {
        case .before(let call): variables["ZAMOK_FAULTS_KILL"] = "before:\(call)"
        case .after(let call): variables["ZAMOK_FAULTS_KILL"] = "after:\(call)"
        case nil: break
        }
        switch fail {
        case .at(let call, let failure): variables["ZAMOK_FAULTS_FAIL"] = "\(call):\(failure.rawValue)"
        case .from(let call, let failure): variables["ZAMOK_FAULTS_FAIL"] = "\(call)+:\(failure.rawValue)"
        case nil: break
        }
        return variables
    }

    // The name has a digest of the source, so that a changed source is built again and an existing build is reused.
    private static let built = Result {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Preload/fault_injector.c")
        let digest = try Data(contentsOf: source).reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let running = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: running).deletingLastPathComponent()
        let library = folder.appendingPathComponent("fault_injector-\(String(digest, radix: 16)).so")
        if FileManager.default.fileExists(atPath: library.path) { return library.path }
        let unfinished = folder.appendingPathComponent("fault_injector-\(UUID()).so")
        try compile(source, to: unfinished)
        guard unsafe rename(unfinished.path, library.path) == 0 else {
            throw BuildFailure(description: "can't rename the built fault injector")
        }
        return library.path
    }

    private static func compile(_ source: URL, to library: URL) throws {
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["clang", "-O1", "-shared", "-fPIC", source.path, "-o", library.path]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else {
            throw BuildFailure(description: "clang could not build \(source.path); it comes with the Swift toolchain")
        }
    }
}
