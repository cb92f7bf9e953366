// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Items that ask for a person, in several processes and with both holders.
@Suite struct AccessControlProcessTests {
    let temporary = TemporaryHome()

    /// Answers of two workers with the same home. `find-in-context` answers how often the worker's person was asked
    /// so far and what was found.
    private func workers(_ holder: String) throws -> (WorkerProcess, WorkerProcess) {
        let environment = ["WORKER_HOLDER": holder, "WORKER_PASSCODE": "1234"]
        let first = try WorkerProcess(temporary.path, environment: environment)
        #expect(try first.ask("set-passcode", "1234") == "ok")
        #expect(try first.ask("unlock", "1234") == "ok")
        let second = try WorkerProcess(temporary.path, environment: environment)
        #expect(try second.ask("unlock", "1234") == "ok")
        return (first, second)
    }

    @Test(arguments: ["process", "automatic"])
    func `A lock by another process ends what was answered here`(holder: String) throws {
        let (first, second) = try workers(holder)
        #expect(try first.ask("add-guarded", "service", "anna", "secret") == "ok")
        #expect(try first.ask("find-in-context", "service", "anna") == "ok\t1 secret")
        #expect(try first.ask("find-in-context", "service", "anna") == "ok\t1 secret")
        // Another process has the same class keys and asks for itself.
        #expect(try second.ask("find-in-context", "service", "anna") == "ok\t1 secret")
        #expect(try second.ask("lock") == "ok")
        #expect(try first.ask("find-in-context", "service", "anna") == "error\t-25308")
        #expect(try first.ask("unlock", "1234") == "ok")
        #expect(try first.ask("find-in-context", "service", "anna") == "ok\t2 secret")
        _ = try second.ask("lock")
    }

    @Test(arguments: ["process", "automatic"])
    func `A wrong passcode in one process counts in the other`(holder: String) throws {
        let (first, second) = try workers(holder)
        #expect(try first.ask("add-guarded", "service", "anna", "secret") == "ok")
        #expect(try second.ask("answer", "wrong") == "ok")
        for _ in 0..<5 {
            #expect(try second.ask("find-in-context", "service", "anna") == "error\t-25293")
        }
        // The right passcode is refused, too: the limiter applies to every process.
        #expect(try first.ask("find-in-context", "service", "anna") == "error\t-25308")
        let home = try temporary.open()
        #expect(try home.status().failedAttempts == 5)
        #expect(try home.status().nextAttempt > .zero)
        _ = try first.ask("lock")
    }
}
