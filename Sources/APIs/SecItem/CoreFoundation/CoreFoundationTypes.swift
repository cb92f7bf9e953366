// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// A dictionary of Core Foundation, bridged to `[AnyHashable: Any]`.
public typealias CFDictionary = NSDictionary

/// An array of Core Foundation, bridged to `[Any]`.
public typealias CFArray = NSArray

/// A set of Core Foundation, bridged to `Set<AnyHashable>`.
public typealias CFSet = NSSet

/// A string of Core Foundation, bridged to `String`.
public typealias CFString = NSString

/// A date of Core Foundation, bridged to `Date`.
public typealias CFDate = NSDate

/// A number of Core Foundation.
public typealias CFNumber = NSNumber

/// A Boolean of Core Foundation: a number with the type code `"c"`. It is the same Swift type as `CFNumber`, since a
/// `Bool` is bridged to that. `CFGetTypeID` distinguishes the two; overloads for both don't compile.
public typealias CFBoolean = NSNumber

/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject

/// An error of Core Foundation.
public typealias CFError = NSError

/// A URL of Core Foundation, bridged to `URL`.
public typealias CFURL = NSURL

/// Names a group of errors.
public typealias CFErrorDomain = NSString

/// Seconds since 2001-01-01 00:00 UTC.
public typealias CFAbsoluteTime = Double

/// The current time.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// The key of a failed download's resume data in its error. Foundation defines it on Apple's systems. Here no download
/// provides resume data. Code that checks `canImport(Security)` to detect such a system (Alamofire) uses the name.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

/// Key of Info.plist: the bundle's identifier.
@safe nonisolated(unsafe) public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"

/// Key of Info.plist: the bundle's version.
@safe nonisolated(unsafe) public let kCFBundleVersionKey: CFString! = "CFBundleVersion"

/// Key of Info.plist: the bundle's name.
@safe nonisolated(unsafe) public let kCFBundleNameKey: CFString! = "CFBundleName"

/// Key of Info.plist: the bundle's executable file.
@safe nonisolated(unsafe) public let kCFBundleExecutableKey: CFString! = "CFBundleExecutable"

/// A status that Security's functions return; 0 is success.
public typealias OSStatus = Int32

/// A position or a count.
public typealias CFIndex = Int

/// A set of options.
public typealias CFOptionFlags = UInt

/// Names a type of Core Foundation; see `CFGetTypeID`.
public typealias CFTypeID = UInt

/// Four characters in one number.
public typealias OSType = UInt32

/// Four characters in one number.
public typealias FourCharCode = UInt32

/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// No error: 0.
public let noErr: OSStatus = 0

/// The types that `CFGetTypeID` distinguishes. The numbers are our own, and stored nowhere.
private enum KnownType: CFTypeID {
    case other = 1
    case string = 7
    case null = 16
    case dictionary = 18
    case array = 19
    case data = 20
    case set = 17
    case boolean = 21
    case number = 22
    case error = 27
    case date = 42
    case key = 256
    case certificate = 257
    case identity = 258
    case accessControl = 259
    case trust = 260
    case policy = 261

    init(_ object: CFTypeRef) {
        self =
            switch object as Any {
            case is SecKey: .key
            case is SecCertificate: .certificate
            case is SecIdentity: .identity
            case is SecAccessControl: .accessControl
            case is SecTrust: .trust
            case is SecPolicy: .policy
            case is NSError: .error
            default: KnownType(plain: ReadValue(object))
            }
    }

    private init(plain value: ReadValue) {
        self =
            switch value {
            case .text: .string
            case .data: .data
            case .number, .inexactNumber: .number
            case .boolean: .boolean
            case .date: .date
            case .null: .null
            case .array: .array
            case .other(let object): object is NSDictionary ? .dictionary : object is NSSet ? .set : .other
            }
    }
}

/// The type of an object; 0 for nil.
public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID { object.map { KnownType($0).rawValue } ?? 0 }

/// The type of strings.
public func CFStringGetTypeID() -> CFTypeID { KnownType.string.rawValue }

/// The type of data.
public func CFDataGetTypeID() -> CFTypeID { KnownType.data.rawValue }

/// The type of arrays.
public func CFArrayGetTypeID() -> CFTypeID { KnownType.array.rawValue }

/// The type of sets.
public func CFSetGetTypeID() -> CFTypeID { KnownType.set.rawValue }

/// The type of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { KnownType.dictionary.rawValue }

/// The type of dates.
public func CFDateGetTypeID() -> CFTypeID { KnownType.date.rawValue }

/// The type of numbers; Booleans have their own.
public func CFNumberGetTypeID() -> CFTypeID { KnownType.number.rawValue }

/// The type of Booleans.
public func CFBooleanGetTypeID() -> CFTypeID { KnownType.boolean.rawValue }

/// The type of keys.
public func SecKeyGetTypeID() -> CFTypeID { KnownType.key.rawValue }

/// The type of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { KnownType.certificate.rawValue }

/// The type of identities.
public func SecIdentityGetTypeID() -> CFTypeID { KnownType.identity.rawValue }

/// The type of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { KnownType.accessControl.rawValue }

/// The type of trust evaluations.
public func SecTrustGetTypeID() -> CFTypeID { KnownType.trust.rawValue }

/// The type of policies.
public func SecPolicyGetTypeID() -> CFTypeID { KnownType.policy.rawValue }

/// Whether both are the same object, or equal objects of the same type. Two nils are equal.
public func CFEqual(_ left: CFTypeRef?, _ right: CFTypeRef?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left === right || (left as? NSObject)?.isEqual(right) == true
}
#endif
