// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Foundation
import Zamok

let sizes = [100, 1_000, 10_000, 100_000]
/// Calls in one sample; goals.json counts with the same numbers.
let reads = 500
let writes = 100

/// Measures calls on something that is made once, before the first sample: filling 100,000 items takes longer than all
/// samples together. `body` gets the number of the call, counted over all samples.
func measure<Fixture>(
    _ name: String, calls: Int, samples: Int, on make: @autoclosure @escaping () throws -> Fixture,
    _ body: @escaping (Fixture, Int) throws -> Void
) {
    var fixture: Fixture?
    var number = 0
    Benchmark(
        name,
        configuration: .init(
            metrics: [.wallClock, .throughput], warmupIterations: 1, maxDuration: .seconds(4), maxIterations: samples),
        closure: { benchmark in
            guard let fixture else { return benchmark.error("there is nothing to measure on") }
            benchmark.startMeasurement()
            for _ in 0..<calls {
                try body(fixture, number)
                number += 1
            }
            benchmark.stopMeasurement()
        },
        setup: { fixture = try make() },
        teardown: { fixture = nil }
    )
}

/// Keys beside swift-crypto called directly, identities beside passwords of the same home.
private func measureKeys() {
    measure("sign_plain", calls: reads, samples: 40, on: try SigningPair()) { pair, _ in blackHole(try pair.signPlain())
    }
    measure("sign", calls: reads, samples: 40, on: try SigningPair()) { pair, _ in blackHole(try pair.sign()) }
    measure("verify_plain", calls: reads, samples: 40, on: try SigningPair()) { pair, _ in
        blackHole(try pair.verifyPlain())
    }
    measure("verify", calls: reads, samples: 40, on: try SigningPair()) { pair, _ in blackHole(try pair.verify()) }
    measure("rsa_sign_plain", calls: writes, samples: 20, on: try RSAPair()) { pair, _ in
        blackHole(try pair.signPlain())
    }
    measure("rsa_sign", calls: writes, samples: 20, on: try RSAPair()) { pair, _ in blackHole(try pair.sign()) }
    measure("rsa_verify_plain", calls: reads, samples: 40, on: try RSAPair()) { pair, _ in blackHole(pair.verifyPlain())
    }
    measure("rsa_verify", calls: reads, samples: 40, on: try RSAPair()) { pair, _ in blackHole(pair.verify()) }
    measure("identity_password_1000", calls: reads, samples: 40, on: try HomeOfIdentities(count: 1_000)) { home, step in
        blackHole(try home.lookup(step * 7919 % 1_000))
    }
    measure("identity_1000", calls: reads, samples: 40, on: try HomeOfIdentities(count: 1_000)) { home, step in
        blackHole(try home.identity(step * 7919 % 1_000))
    }
    measure("identity_secitem_password_1000", calls: reads, samples: 40, on: try HomeOfIdentities(count: 1_000)) {
        home, step in blackHole(try home.passwordByFunction(step * 7919 % 1_000))
    }
    measure("identity_secitem_1000", calls: reads, samples: 40, on: try HomeOfIdentities(count: 1_000)) { home, step in
        blackHole(try home.copyMatching(step * 7919 % 1_000))
    }
}

let benchmarks: @Sendable () -> Void = { measureAll() }

private func measureAll() {
    for size in sizes {
        measure("lookup_plain_\(size)", calls: reads, samples: 40, on: try PlainTable(count: size)) { table, step in
            blackHole(try table.lookup(step * 7919 % size))
        }
        measure("lookup_\(size)", calls: reads, samples: 40, on: try FilledHome(count: size)) { filled, step in
            blackHole(try filled.lookup(step * 7919 % size))
        }
        measure("secitem_\(size)", calls: reads, samples: 40, on: try FilledHome(count: size)) { filled, step in
            blackHole(try filled.copyMatching(step * 7919 % size))
        }
        // The store grows by all samples: by 800.
        measure("add_\(size)", calls: writes, samples: 7, on: try FilledHome(count: size)) { filled, step in
            blackHole(try filled.keychain.add(try FilledHome.item(size + step)))
        }
        measure("update_\(size)", calls: writes, samples: 7, on: try FilledHome(count: size)) { filled, step in
            var item = try filled.found(step * 7919 % min(size, writes))
            item.secret = try Secret(copying: Data(repeating: UInt8(step % 256), count: 32))
            try filled.keychain.update(item)
        }
    }

    measure("lookup_passcode_10000", calls: reads, samples: 40, on: try FilledHome(count: 10_000, hasPasscode: true)) {
        filled, step in blackHole(try filled.lookup(step * 7919 % 10_000))
    }

    measure("append_and_fdatasync", calls: writes, samples: 20, on: try AppendedFile()) { file, _ in
        try file.append()
    }
    measureKeys()
}
