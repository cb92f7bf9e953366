// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What has bytes to search.
protocol Searching: AnyObject {
    /// Whether it waits for its turn.
    var isWaiting: Bool { get set }

    /// Searches the next bytes, of a body at most so many. False: there are none.
    func searchNext(_ most: Int) -> Bool

    /// Its turn is over. `isLate`: the connection that the bytes came on doesn't know it.
    func searched(isLate: Bool)
}

/// Shares the event loop: searches have a few milliseconds of it, and then all else its turn. So what a guest or a
/// server sends delays neither a lock nor other connections. While little is to do, it is done at once.
final class SearchTurns {
    /// How long searches go on before other things have their turn, and how long that is at least.
    private static let (most, pause) = (TimeAmount.milliseconds(2), TimeAmount.microseconds(100))
    /// A piece of a body takes about as long.
    private static let piece = TimeAmount.microseconds(500)
    private static let sizes = 128...64 << 10

    private let loop: any EventLoop
    private var waiting = CircularBuffer<any Searching>()
    private var used = TimeAmount.nanoseconds(0)
    /// Bytes of the next piece: some take a thousand times as long as others.
    private var size = 4 << 10
    private var isWorking = false
    private var isPausing = false
    /// Something came while searches went on, and its connection doesn't know when it is searched.
    private var isAgain = false

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Searches what it has, now or when its turn comes.
    func search(_ one: any Searching) {
        if isWorking { isAgain = true }
        guard !one.isWaiting else { return }
        one.isWaiting = true
        waiting.append(one)
        work(for: one)
    }

    /// `first`: whose bytes come just now, so that its connection goes on by itself; nil: none.
    private func work(for first: (any Searching)?) {
        guard !isWorking, !isPausing else { return }
        (isWorking, isAgain) = (true, false)
        var now = NIODeadline.now()
        while used < Self.most, let one = waiting.popFirst() {
            one.isWaiting = false
            var isMore = true
            // What it causes while it works is added behind what it has, and done in this loop.
            while isMore, used < Self.most {
                isMore = one.searchNext(size)
                let after = NIODeadline.now()
                let took = after - now
                (now, used) = (after, used + took)
                if took > Self.piece { size = max(size / 2, Self.sizes.lowerBound) }
                if took * 4 < Self.piece { size = min(size * 2, Self.sizes.upperBound) }
            }
            one.searched(isLate: one !== first || isAgain)
            if isMore, !one.isWaiting {
                one.isWaiting = true
                waiting.append(one)
            }
        }
        isWorking = false
        guard used >= Self.most || !waiting.isEmpty else { return }
        isPausing = true
        loop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            (isPausing, used) = (false, .nanoseconds(0))
            work(for: nil)
        }
    }
}
