// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_CF_H
#define STANDIN_CF_H
#include <Availability.h>
#include <stddef.h>
#include <stdint.h>
#define CF_BRIDGED_TYPE(T) __attribute__((objc_bridge(T)))
typedef const void *CFTypeRef;
typedef const struct CF_BRIDGED_TYPE(NSString) __CFString *CFStringRef;
typedef const struct CF_BRIDGED_TYPE(NSData) __CFData *CFDataRef;
typedef const struct CF_BRIDGED_TYPE(NSDictionary) __CFDictionary *CFDictionaryRef;
typedef const struct CF_BRIDGED_TYPE(NSArray) __CFArray *CFArrayRef;
typedef struct CF_BRIDGED_TYPE(NSError) __CFError *CFErrorRef;
typedef long CFIndex;
typedef unsigned long CFTypeID;
typedef double CFTimeInterval;
typedef double CGFloat;
struct CGPoint { CGFloat x, y; };
typedef struct CGPoint CGPoint;
struct CGSize { CGFloat width, height; };
typedef struct CGSize CGSize;
struct CGRect { CGPoint origin; CGSize size; };
typedef struct CGRect CGRect;
#endif
