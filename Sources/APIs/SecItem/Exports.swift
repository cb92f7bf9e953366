// SPDX-License-Identifier: Apache-2.0

// On Apple's systems Foundation brings Security with it, so that this target adds nothing there and names nothing:
// `import Security` in this place would find the module of this package. Everywhere else Security brings Foundation,
// because code that was written for Apple's systems imports only one of the two.
@_exported public import Foundation
@_exported public import SecurityTypes
