// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The key of an item's class. Needed by every call, unless a persistent reference tells it.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"

/// A password of a service.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"

/// A password of a server.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"

/// An X.509 certificate.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"

/// A cryptographic key.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"

/// A certificate together with its private key.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"
#endif
