// SPDX-License-Identifier: Apache-2.0
#include <CoreFoundation/CoreFoundation.h>
#ifndef STANDIN_CG_H
#define STANDIN_CG_H
#pragma clang assume_nonnull begin
typedef struct __attribute__((objc_bridge(id))) CGColor *CGColorRef;
CGFloat CGColorGetAlpha(CGColorRef _Nullable color) __attribute__((swift_name("getter:CGColorRef.alpha(self:)")));
#pragma clang assume_nonnull end
#endif
