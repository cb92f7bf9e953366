// SPDX-License-Identifier: Apache-2.0
// The Objective-C half of Foundation: only what is used. Names, nullability and availability are those of
// developer.apple.com/documentation/foundation, page by page under the class's name. What has no API_AVAILABLE is older than every system that is supported.
#ifndef STANDIN_FOUNDATION_H
#define STANDIN_FOUNDATION_H
#include <CoreFoundation/CoreFoundation.h>
#include <CoreGraphics/CoreGraphics.h>
#include <objc/NSObject.h>
#define NS_SWIFT_NAME(n) __attribute__((swift_name(#n)))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_SWIFT_NONISOLATED __attribute__((swift_attr("nonisolated")))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define NS_REQUIRES_SUPER __attribute__((objc_requires_super))
#define NS_ENUM(T, N) enum __attribute__((enum_extensibility(open))) N : T N; enum N : T
#define NS_CLOSED_ENUM(T, N) enum __attribute__((enum_extensibility(closed))) N : T N; enum N : T
#define NS_OPTIONS(T, N) enum __attribute__((flag_enum, enum_extensibility(open))) N : T N; enum N : T
#define NS_EXTENSIBLE_STRING_ENUM __attribute__((swift_wrapper(struct)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_wrapper(struct)))
#define NS_TYPED_ENUM __attribute__((swift_wrapper(enum)))
#define NS_NOESCAPE __attribute__((noescape))
// What Foundation.apinotes of the SDK says by SwiftBridge.
#define STANDIN_BRIDGED(n) __attribute__((swift_bridge(n)))
#define NS_REFINED_FOR_SWIFT __attribute__((swift_private))
#pragma clang assume_nonnull begin
@class NSString, NSCoder, NSDate, NSError, NSURL, NSData;
@class NSDictionary<KeyType, ObjectType>;
@class NSArray<ObjectType>;
@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end
@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end
@protocol NSSecureCoding <NSCoding>
@property (class, readonly) BOOL supportsSecureCoding;
@end
@interface NSCoder : NSObject
@end
STANDIN_BRIDGED("Swift.String")
NS_SWIFT_SENDABLE
@interface NSString : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
- (unsigned short)characterAtIndex:(NSUInteger)index;
@property (readonly, copy) NSString *lastPathComponent;
@property (readonly, copy) NSString *stringByDeletingLastPathComponent;
- (NSString *)stringByAppendingPathComponent:(NSString *)str;
@property (readonly, copy) NSString *pathExtension;
@property (readonly, copy) NSString *stringByDeletingPathExtension;
- (nullable NSString *)stringByAppendingPathExtension:(NSString *)str;
@property (readonly, copy) NSString *stringByStandardizingPath;
@property (readonly, copy) NSString *stringByExpandingTildeInPath;
@property (readonly, copy) NSArray<NSString *> *pathComponents;
@property (getter=isAbsolutePath, readonly) BOOL absolutePath;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithString:(NSString *)aString;
@end
@interface NSValue : NSObject <NSCopying, NSSecureCoding>
@property (readonly) const char *objCType;
@end
NS_SWIFT_SENDABLE
@interface NSNumber : NSValue
- (NSNumber *)initWithBool:(BOOL)value;
- (NSNumber *)initWithDouble:(double)value;
- (NSNumber *)initWithInteger:(NSInteger)value;
@property (readonly) BOOL boolValue;
@property (readonly) double doubleValue;
@property (readonly) NSInteger integerValue __attribute__((swift_name("intValue")));
@property (readonly, copy) NSString *stringValue;
@end
STANDIN_BRIDGED("Foundation.Date")
NS_SWIFT_SENDABLE
@interface NSDate : NSObject <NSCopying, NSSecureCoding>
@end
STANDIN_BRIDGED("Foundation.Data")
NS_SWIFT_SENDABLE
@interface NSData : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@property (readonly) const void *bytes;
@end
STANDIN_BRIDGED("Foundation.URL")
NS_SWIFT_SENDABLE
@interface NSURL : NSObject <NSSecureCoding, NSCopying>
@end
STANDIN_BRIDGED("Foundation.UUID")
NS_SWIFT_SENDABLE
@interface NSUUID : NSObject <NSCopying, NSSecureCoding>
@end
STANDIN_BRIDGED("Swift.Array")
@interface NSArray<ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
STANDIN_BRIDGED("Swift.Dictionary")
@interface NSDictionary<KeyType, ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
STANDIN_BRIDGED("Swift.Set")
@interface NSSet<ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
#if TARGET_OS_OSX
typedef CGRect NSRect;
typedef CGPoint NSPoint;
typedef CGSize NSSize;
#endif
typedef NSString *NSErrorDomain;
NS_SWIFT_SENDABLE
@interface NSError : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithDomain:(NSErrorDomain)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSString *, id> *)dict NS_DESIGNATED_INITIALIZER;
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSString *, id> *userInfo;
@property (readonly, copy) NSString *localizedDescription;
@end
typedef NSString *NSNotificationName NS_EXTENSIBLE_STRING_ENUM NS_SWIFT_NAME(NSNotification.Name);
STANDIN_BRIDGED("Foundation.Notification")
@interface NSNotification : NSObject <NSCopying, NSCoding>
@property (readonly, copy) NSNotificationName name;
@property (nullable, readonly, retain) id object;
@property (nullable, readonly, copy) NSDictionary *userInfo;
@end
// .../foundation/nsnotification/name-swift.struct, with the suffix `Notification` dropped. Not on macOS.
extern NSNotificationName const NSExtensionHostWillEnterForegroundNotification API_UNAVAILABLE(macos);
extern NSNotificationName const NSExtensionHostDidEnterBackgroundNotification API_UNAVAILABLE(macos);
extern NSNotificationName const NSExtensionHostWillResignActiveNotification API_UNAVAILABLE(macos);
extern NSNotificationName const NSExtensionHostDidBecomeActiveNotification API_UNAVAILABLE(macos);
NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@property (class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@end
NS_SWIFT_NAME(NotificationCenter)
NS_SWIFT_SENDABLE
@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter;
- (void)addObserver:(id)observer selector:(SEL)aSelector name:(nullable NSNotificationName)aName object:(nullable id)anObject;
- (void)postNotificationName:(NSNotificationName)aName object:(nullable id)anObject;
- (void)removeObserver:(id)observer;
// The closure is @Sendable: NS_SWIFT_SENDABLE in NSNotification.h.
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)obj
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void (NS_SWIFT_SENDABLE ^)(NSNotification *notification))block;
@end
#if TARGET_OS_OSX
// .../foundation/distributednotificationcenter: of macOS and Mac Catalyst.
typedef NS_ENUM(NSUInteger, NSNotificationSuspensionBehavior) {
    NSNotificationSuspensionBehaviorDrop = 1, NSNotificationSuspensionBehaviorCoalesce = 2, NSNotificationSuspensionBehaviorHold = 3,
    NSNotificationSuspensionBehaviorDeliverImmediately = 4,
} NS_SWIFT_NAME(DistributedNotificationCenter.SuspensionBehavior);
NS_SWIFT_NAME(DistributedNotificationCenter)
@interface NSDistributedNotificationCenter : NSNotificationCenter
+ (NSDistributedNotificationCenter *)defaultCenter NS_SWIFT_NAME(default());
- (void)addObserver:(id)observer
           selector:(SEL)selector
               name:(nullable NSNotificationName)name
             object:(nullable NSString *)object
 suspensionBehavior:(NSNotificationSuspensionBehavior)suspensionBehavior;
@end
#endif
NS_SWIFT_NAME(FileHandle)
NS_SWIFT_SENDABLE
@interface NSFileHandle : NSObject
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardInput NS_SWIFT_NAME(standardInput);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardOutput NS_SWIFT_NAME(standardOutput);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NS_SWIFT_NAME(standardError);
@property (class, readonly, strong) NSFileHandle *fileHandleWithNullDevice NS_SWIFT_NAME(nullDevice);
- (instancetype)initWithFileDescriptor:(int)fd closeOnDealloc:(BOOL)closeopt;
@property (readonly) int fileDescriptor;
- (BOOL)closeAndReturnError:(NSError **)error NS_SWIFT_NAME(close()) API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0));
@end
NS_SWIFT_NAME(ProcessInfo)
NS_SWIFT_SENDABLE
@interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (readonly, copy) NSArray<NSString *> *arguments;
@property (readonly, copy) NSString *processName;
@property (readonly) int processIdentifier;
@property (readonly) NSUInteger activeProcessorCount;
@property (readonly, getter=isMacCatalystApp) BOOL macCatalystApp;
@property (readonly, getter=isiOSAppOnMac) BOOL iOSAppOnMac;
@end
NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
@property (class, readonly) BOOL isMainThread;
+ (void)sleepForTimeInterval:(double)ti;
+ (void)detachNewThreadWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block NS_SWIFT_NAME(detachNewThread(_:));
@end
// Not Sendable before Xcode 26, Sendable since: the stricter of the two.
NS_SWIFT_NAME(UserDefaults)
@interface NSUserDefaults : NSObject
@property (class, readonly, strong) NSUserDefaults *standardUserDefaults;
- (instancetype)init;
- (nullable instancetype)initWithSuiteName:(nullable NSString *)suitename NS_DESIGNATED_INITIALIZER;
- (nullable id)objectForKey:(NSString *)defaultName;
- (void)setObject:(nullable id)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)removeObjectForKey:(NSString *)defaultName;
- (nullable NSDictionary<NSString *, id> *)persistentDomainForName:(NSString *)domainName;
- (nullable NSString *)stringForKey:(NSString *)defaultName;
- (nullable NSURL *)URLForKey:(NSString *)defaultName;
- (void)setURL:(nullable NSURL *)url forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)registerDefaults:(NSDictionary<NSString *, id> *)registrationDictionary NS_SWIFT_NAME(register(defaults:));
- (NSDictionary<NSString *, id> *)dictionaryRepresentation;
- (BOOL)synchronize;
@end
typedef NS_OPTIONS(NSUInteger, NSJSONReadingOptions) {
    NSJSONReadingMutableContainers = (1UL << 0), NSJSONReadingMutableLeaves = (1UL << 1), NSJSONReadingFragmentsAllowed = (1UL << 2),
} NS_SWIFT_NAME(JSONSerialization.ReadingOptions);
typedef NS_OPTIONS(NSUInteger, NSJSONWritingOptions) {
    NSJSONWritingPrettyPrinted = (1UL << 0),
    NSJSONWritingSortedKeys API_AVAILABLE(macos(10.13), ios(11.0), watchos(4.0), tvos(11.0)) = (1UL << 1),
    NSJSONWritingFragmentsAllowed = (1UL << 2),
    NSJSONWritingWithoutEscapingSlashes API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0)) = (1UL << 3),
} NS_SWIFT_NAME(JSONSerialization.WritingOptions);
NS_SWIFT_NAME(JSONSerialization)
@interface NSJSONSerialization : NSObject
+ (BOOL)isValidJSONObject:(id)obj;
+ (nullable NSData *)dataWithJSONObject:(id)obj options:(NSJSONWritingOptions)opt error:(NSError **)error;
+ (nullable id)JSONObjectWithData:(NSData *)data options:(NSJSONReadingOptions)opt error:(NSError **)error;
@end
typedef NS_ENUM(NSUInteger, NSPropertyListFormat) {
    NSPropertyListOpenStepFormat NS_SWIFT_NAME(openStep) = 1,
    NSPropertyListXMLFormat_v1_0 NS_SWIFT_NAME(xml) = 100,
    NSPropertyListBinaryFormat_v1_0 NS_SWIFT_NAME(binary) = 200,
} NS_SWIFT_NAME(PropertyListSerialization.PropertyListFormat);
typedef NS_OPTIONS(NSUInteger, NSPropertyListMutabilityOptions) {
    NSPropertyListImmutable = 0, NSPropertyListMutableContainers = 1, NSPropertyListMutableContainersAndLeaves = 2,
} NS_SWIFT_NAME(PropertyListSerialization.MutabilityOptions);
NS_SWIFT_NAME(PropertyListSerialization)
@interface NSPropertyListSerialization : NSObject
+ (BOOL)propertyList:(id)plist isValidForFormat:(NSPropertyListFormat)format;
+ (nullable NSData *)dataWithPropertyList:(id)plist
                                   format:(NSPropertyListFormat)format
                                  options:(NSUInteger)opt
                                    error:(NSError **)error NS_SWIFT_NAME(data(fromPropertyList:format:options:));
+ (nullable id)propertyListWithData:(NSData *)data
                            options:(NSPropertyListMutabilityOptions)opt
                             format:(nullable NSPropertyListFormat *)format
                              error:(NSError **)error NS_SWIFT_NAME(propertyList(from:options:format:));
@end
NS_SWIFT_NAME(Bundle)
NS_SWIFT_SENDABLE
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle;
@property (readonly, copy) NSString *bundlePath;
@property (nullable, readonly, copy) NSString *bundleIdentifier;
@property (nullable, readonly, copy) NSString *executablePath;
@property (readonly, copy) NSURL *bundleURL;
@property (nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
- (nullable NSString *)pathForResource:(nullable NSString *)name ofType:(nullable NSString *)ext;
- (NSString *)localizedStringForKey:(NSString *)key value:(nullable NSString *)value table:(nullable NSString *)tableName;
@end
#pragma clang assume_nonnull end
#endif
