// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Keeps other programs from looking into this process.
public enum CoreDumps {
    /// No core file, and no debugger of the same user, from here on: a core limit of 0 and the non-dumpable mark. For programs that are
    /// all about secrets; a library leaves it to its app. It can't be undone; programs that this one starts are dumpable again, but keep the
    /// core limit.
    ///
    /// - Returns: Whether the system did both.
    @discardableResult
    public static func refuse() -> Bool { zamok_refuse_dumps() == 0 }
}
