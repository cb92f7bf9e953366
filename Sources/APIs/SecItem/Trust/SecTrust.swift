// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
package import SecurityTypes
import Synchronization

/// The evaluation of a certificate: other certificates for its path, anchors, policies, and the time.
///
/// The system's libcrypto of OpenSSL 3 builds and checks the path. May be used from several threads.
public final class SecTrust: NSObject, Sendable {
    struct State {
        var question: TrustQuestion
        var exceptions: TrustExceptions?
        var mayFetch = false
        /// The verdict for this question; nil after a change.
        var verdict: TrustVerdict?
    }

    private let state: Mutex<State>

    package init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
        let policies = policies.isEmpty ? [SecPolicy(.basic)] : policies
        state = Mutex(State(question: TrustQuestion(certificates: certificates, policies: policies)))
    }

    /// Changes the question, so that the next call evaluates again.
    func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.verdict = nil
        }
    }

    func read<R: Sendable>(_ body: (State) -> R) -> R { state.withLock { body($0) } }

    /// The verdict; evaluates if necessary.
    func verdict() -> TrustVerdict {
        let (question, exceptions, known) = read { ($0.question, $0.exceptions, $0.verdict) }
        if let known { return known }
        // Outside the lock, so that no thread waits for it while a path is built.
        let answer = CurrentEngine.value?.evaluate(question) ?? TrustAnswer(unavailable: "SecItemEngine is not linked")
        let verdict = TrustVerdict(answer, question, exceptions)
        state.withLock { state in
            if state.verdict == nil, state.question == question { state.verdict = verdict }
        }
        return verdict
    }
}

/// A policy that a certificate has to meet.
public final class SecPolicy: NSObject, Sendable {
    package enum Rule: Hashable, Sendable {
        case basic
        /// TLS: the certificate of a server of this name, or of a client.
        case ssl(isServer: Bool, host: String?)
        case mail(String?)
        case revocation(CFOptionFlags)
    }

    package let rule: Rule

    package init(_ rule: Rule) { self.rule = rule }

    /// Whether `object` is a policy with the same rule.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecPolicy)?.rule == rule }

    /// Equal policies have equal hashes.
    public override var hash: Int { rule.hashValue }
}

/// The input of an evaluation by the engine.
package struct TrustQuestion: Equatable, Sendable {
    /// The certificate to evaluate first, then others.
    package var certificates: [SecCertificate]
    package var policies: [SecPolicy]
    package var anchors: [SecCertificate] = []
    package var usesSystemAnchors = true
    /// The time for which the certificate is judged; nil: now.
    package var date: Date?
    package var statusResponse = Data()
}

/// The engine's answer.
package struct TrustAnswer: Sendable {
    package struct Failure: Hashable, Sendable {
        /// The certificate's position in the path.
        package let depth: Int
        package let status: OSStatus
        package let message: String

        package init(depth: Int, _ status: OSStatus, _ message: String) {
            self.depth = depth
            self.status = status
            self.message = message
        }
    }

    /// The most serious first.
    package var failures: [Failure]
    package var path: [SecCertificate]
    /// Why nothing was checked.
    package var unavailable: String?

    package init(_ failures: [Failure], path: [SecCertificate]) {
        self.failures = failures
        self.path = path
    }

    package init(unavailable: String) {
        self.init(
            [Failure(depth: 0, errSecNotAvailable, "no certificate can be evaluated here: \(unavailable)")], path: [])
        self.unavailable = unavailable
    }
}

/// An answer, without the faults that the caller accepts.
struct TrustVerdict: Sendable {
    let result: SecTrustResultType
    let failures: [TrustAnswer.Failure]
    let path: [SecCertificate]
    let date: Date
    let isUnavailable: Bool

    init(_ answer: TrustAnswer, _ question: TrustQuestion, _ exceptions: TrustExceptions?) {
        let left = answer.failures.filter { exceptions?.covers($0) != true || answer.unavailable != nil }
        failures = left
        path = answer.path.isEmpty ? Array(question.certificates.prefix(1)) : answer.path
        date = question.date ?? Date()
        isUnavailable = answer.unavailable != nil
        let fatal: Set = [errSecCertificateRevoked, errSecUnsupportedKeySize, errSecInvalidDigestAlgorithm]
        result =
            if isUnavailable { .otherError } else if left.isEmpty {
                answer.failures.isEmpty ? .unspecified : .proceed
            } else if left.contains(where: { fatal.contains($0.status) }) { .fatalTrustFailure } else {
                .recoverableTrustFailure
            }
    }

    var error: CFError? { failures.first.map { NSError(status: $0.status, $0.message) } }
}

/// Faults of a certificate that the caller accepts. In bytes: "ZTE1", a count, for each fault its position and status,
/// all of 32 bits and big-endian; then the certificate.
struct TrustExceptions: Sendable {
    private struct Fault: Hashable {
        let depth: Int
        let status: OSStatus
    }

    let leaf: Data
    private let faults: Set<Fault>

    private static let magic = Array("ZTE1".utf8)
    private static let limit = 256

    init?(_ verdict: TrustVerdict) {
        guard !verdict.isUnavailable, let leaf = verdict.path.first else { return nil }
        self.leaf = leaf.der
        faults = Set(verdict.failures.map { Fault(depth: $0.depth, status: $0.status) })
    }

    init?(_ bytes: [UInt8]) {
        func number(_ at: Int) -> UInt32 { bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        guard bytes.count >= 8, Array(bytes[..<4]) == Self.magic, number(4) <= Self.limit,
            bytes.count > 8 + 8 * Int(number(4))
        else { return nil }
        let end = 8 + 8 * Int(number(4))
        faults = Set(
            stride(from: 8, to: end, by: 8).map {
                Fault(depth: Int(number($0)), status: OSStatus(bitPattern: number($0 + 4)))
            })
        leaf = Data(bytes[end...])
    }

    var bytes: Data {
        var bytes = Self.magic
        func append(_ number: UInt32) { bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let sorted = faults.sorted { ($0.depth, $0.status) < ($1.depth, $1.status) }.prefix(Self.limit)
        append(UInt32(sorted.count))
        for fault in sorted {
            append(UInt32(fault.depth))
            append(UInt32(bitPattern: fault.status))
        }
        return Data(bytes) + leaf
    }

    func covers(_ failure: TrustAnswer.Failure) -> Bool {
        faults.contains(Fault(depth: failure.depth, status: failure.status))
    }
}
#endif
