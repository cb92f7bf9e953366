// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// A dictionary of Core Foundation, bridged to `[AnyHashable: Any]`.
public typealias CFDictionary = NSDictionary

/// An array of Core Foundation, bridged to `[Any]`.
public typealias CFArray = NSArray

/// A string of Core Foundation, bridged to `String`.
public typealias CFString = NSString

/// A date of Core Foundation, bridged to `Date`.
public typealias CFDate = NSDate

/// A number of Core Foundation.
public typealias CFNumber = NSNumber

/// A Boolean of Core Foundation: a number that says `"c"` as its type.
public typealias CFBoolean = NSNumber

/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject

/// An error of Core Foundation.
public typealias CFError = NSError

/// What the functions of Security answer; 0 is success.
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
#endif
