// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

// Hostile certificates and chains, through SecTrust. Each round changes one, two or three certificates of a chain and
// evaluates it. A changed certificate that is no anchor itself may never be trusted.

var options = ["--rounds": "2000", "--seed": "20261", "--corpus": ""]
let arguments = Array(CommandLine.arguments.dropFirst())
for (name, value) in zip(arguments, arguments.dropFirst()) where options[name] != nil { options[name] = value }
let rounds = options["--rounds"].flatMap { Int($0) } ?? 0
let seed = options["--seed"].flatMap { UInt64($0) } ?? 0

let authority = try Authority()
let given = options["--corpus"].flatMap { $0.isEmpty ? nil : $0 }
let corpus = [authority.leaf, authority.middle, authority.root] + (try given.map { try certificates(in: $0) } ?? [])
let good = corpus.prefix(3).compactMap { Node($0[...]) }
guard good.count == 3, rounds > 0 else {
    print("usage: TrustFuzz [--rounds N] [--seed S] [--corpus FOLDER]; openssl's certificates have to be DER")
    exit(64)
}
/// What is trusted of these may be: a root, or one that another of them issued.
let unchanged = Set(corpus)
var changes = Changes(generator: Generator(state: seed), corpus: corpus.compactMap { Node($0[...]) })

let policies = [
    SecPolicyCreateSSL(true, "leaf.example.org" as CFString), SecPolicyCreateSSL(true, "a.example.org" as CFString),
    SecPolicyCreateSSL(true, "192.0.2.1" as CFString), SecPolicyCreateSSL(false, nil), SecPolicyCreateBasicX509(),
    SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, [kSecPolicyName: "anna@example.org"] as CFDictionary),
].compactMap { $0 }

/// The figures of the run.
struct Tally {
    var (certificates, read, chains, trusted) = (0, 0, 0, 0)
    var slowest = (time: Duration.zero, round: 0)
    var statuses: [Int: Int] = [:]
    var isGood = true
}

func made(_ der: [UInt8]) -> SecCertificate? { SecCertificateCreateWithData(nil, Data(der) as CFData) }

func evaluate(_ chain: [SecCertificate], anchor: SecCertificate, _ policy: SecPolicy) -> (isFit: Bool, status: Int) {
    var trust: SecTrust?
    SecTrustCreateWithCertificates(chain as CFArray, policy, &trust)
    guard let trust else { return (false, 0) }
    SecTrustSetAnchorCertificates(trust, [anchor] as CFArray)
    var error: CFError?
    let isFit = SecTrustEvaluateWithError(trust, &error)
    return (isFit, error.map { Int(CFErrorGetCode($0)) } ?? 0)
}

/// One chain: the leaf changed, most of the time; each of the others one time in four.
@MainActor func evaluateRound(_ number: Int, _ tally: inout Tally) {
    let originals = [authority.leaf, authority.middle, authority.root]
    let mask = [1, 1, 1, 3, 5, 7, 2, 4][changes.generator.below(8)]
    let ders = (0..<3).map { mask & 1 << $0 == 0 ? originals[$0] : changes.next(good[$0]) }
    tally.certificates += mask.nonzeroBitCount
    // What it takes to make them is ours.
    let start = ContinuousClock.now
    let certificates = ders.map(made)
    tally.read += (0..<3).filter { mask & 1 << $0 != 0 && certificates[$0] != nil }.count
    guard let leaf = certificates[0], let anchor = certificates[2] ?? made(originals[2]) else { return }
    let policy = policies[changes.generator.below(policies.count)]
    let (isFit, status) = evaluate([leaf] + [certificates[1]].compactMap { $0 }, anchor: anchor, policy)
    tally.chains += 1
    tally.statuses[status, default: 0] += 1
    let time = start.duration(to: .now)
    if time > tally.slowest.time { tally.slowest = (time, number) }
    guard isFit else { return }
    tally.trusted += 1
    let isChanged = !unchanged.contains(ders[0]) && ders[0] != ders[2] || mask == 2 && ders[1] != originals[1]
    if isChanged {
        print("round \(number): trusted, and changed: \(ders.map { Data($0).base64EncodedString() })")
        tally.isGood = false
    }
}

var tally = Tally()
let start = ContinuousClock.now
for number in 0..<rounds {
    evaluateRound(number, &tally)
    guard number % 100_000 == 99_999 else { continue }
    // Not by print, which buffers until the end where the output is no terminal.
    let line = "\(number + 1) rounds, \(tally.certificates) certificates, \(start.duration(to: .now))\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}
let memory = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n").first {
    $0.hasPrefix("VmHWM")
}
print(
    """
    seed \(seed): \(tally.certificates) hostile certificates (\(tally.read) of them read), \(tally.chains) chains evaluated, \(tally.trusted) trusted (their leaf was not \
    changed), \(start.duration(to: .now)); slowest round \(tally.slowest.round), \(tally.slowest.time); \(memory ?? "")
    """)
for (status, count) in tally.statuses.sorted(by: { $0.value > $1.value }) { print("  \(status): \(count)") }
// Others use the processor, too.
if tally.slowest.time > .seconds(20) { tally.isGood = false }
exit(tally.isGood ? 0 : 1)
