// SPDX-License-Identifier: Apache-2.0

import X509

// Uses swift-certificates alone, in a build that also builds Security; without the remedy.
let name = try DistinguishedName { CommonName("Alone") }
print(name)
