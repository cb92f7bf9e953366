// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
extension Thread {
    /// Starts a thread that runs `body`, with a stack of so many bytes.
    static func start(stack: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = stack
        thread.start()
    }
}
#else
/// Threads without Foundation's class of this name, which on Linux brings all of Foundation (Decision 0073).
enum Thread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread that runs `body`, with a stack of so many bytes. Ends this process if the system starts none.
    static func start(stack: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var attributes = pthread_attr_t()
        var thread = pthread_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stack)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let failure = unsafe pthread_create(
            &thread, &attributes,
            { work in
                if let work = unsafe work { unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        precondition(failure == 0, "the system starts no thread")
    }

    static func sleep(forTimeInterval seconds: Double) {
        let ends = ContinuousClock.now + .seconds(seconds)
        while case let left = ends - ContinuousClock.now, left > .zero {
            usleep(UInt32(min(left / .microseconds(1), 900_000)) + 1)
        }
    }
}
#endif
