// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Protects the memory of this process from other programs.
public enum CoreDumps {
    /// Sets a core limit of 0 and the non-dumpable flag: from now on no core file, and no debugger of the same user.
    /// For programs that only handle secrets; a library leaves this to its app. It can't be undone. Child programs are
    /// dumpable again, but keep the core limit.
    ///
    /// - Returns: Whether the system did both.
    @discardableResult
    public static func refuse() -> Bool { zamok_refuse_dumps() == 0 }
}
