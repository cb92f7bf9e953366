// SPDX-License-Identifier: Apache-2.0

import X509

// Uses swift-certificates alone. Security is among its dependencies, so that it links in either order of building.
let name = try DistinguishedName { CommonName("Remedied") }
print(name)
