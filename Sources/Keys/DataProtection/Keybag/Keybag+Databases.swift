// SPDX-License-Identifier: Apache-2.0

extension Keybag {
    /// The metadata key of a domain, for one operation. Errors: as `withMetadataKey`.
    package func metadataKey(of domain: MetadataDomain) throws(DataProtectionError) -> MetadataKey {
        try door { try metadataKey(domain) }
    }

    /// The generation of the keybag that was read and verified. The page may be ahead of it while another process is
    /// writing, and that write may never take place: only this one may be remembered. Waits for such a writer, so call
    /// it outside a transaction.
    package func settledGeneration() throws(DataProtectionError) -> UInt64 {
        try door { try view().file.generation }
    }
}
