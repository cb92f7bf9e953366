// SPDX-License-Identifier: Apache-2.0

import X509

// Uses swift-certificates alone, and has Security among its dependencies so that it links whatever swift-certificates saw.
let name = try DistinguishedName { CommonName("Remedied") }
print(name)
