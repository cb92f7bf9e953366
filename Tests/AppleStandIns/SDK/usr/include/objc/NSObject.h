// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_OBJC_NSOBJECT_H
#define STANDIN_OBJC_NSOBJECT_H
#include <Availability.h>
#include <stddef.h>
typedef signed char STANDIN_OLD_BOOL;
typedef _Bool BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
#define OBJC_EXPORT extern
#define NS_ROOT_CLASS __attribute__((objc_root_class))
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef struct _NSZone NSZone;
#pragma clang assume_nonnull begin
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
@property (readonly) Class superclass;
- (Class)class __attribute__((swift_private));
- (instancetype)self;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)isMemberOfClass:(Class)aClass;
- (BOOL)respondsToSelector:(SEL)aSelector;
- (null_unspecified id)performSelector:(null_unspecified SEL)aSelector;
@property (readonly, copy) id description __attribute__((swift_private));
@end
// init of NSObject isn't on the main actor, and a subclass's may be: nonisolated by default.
NS_ROOT_CLASS
@interface NSObject <NSObject>
- (instancetype)init __attribute__((objc_designated_initializer));
+ (instancetype)new __attribute__((availability(swift, unavailable, message = "use object initializers instead")));
- (id)copy;
- (id)mutableCopy;
+ (BOOL)instancesRespondToSelector:(SEL)aSelector;
+ (Class)class __attribute__((availability(swift, unavailable, message = "use 'aClass.self' instead")));
@end
#pragma clang assume_nonnull end
#endif
