// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_AVAILABILITY_H
#define STANDIN_AVAILABILITY_H
#include <TargetConditionals.h>
// One platform a word, as Apple's headers write it: API_AVAILABLE(ios(13.0), macos(10.15)). Apple's UIKit says ios(...) and means Mac Catalyst and visionOS too:
// clang lets them inherit it.
#define STANDIN_INTRODUCED_macos(v) __attribute__((availability(macos, introduced = v)))
#define STANDIN_INTRODUCED_ios(v) __attribute__((availability(ios, introduced = v)))
#define STANDIN_INTRODUCED_macCatalyst(v) __attribute__((availability(maccatalyst, introduced = v)))
#define STANDIN_INTRODUCED_tvos(v) __attribute__((availability(tvos, introduced = v)))
#define STANDIN_INTRODUCED_watchos(v) __attribute__((availability(watchos, introduced = v)))
#define STANDIN_INTRODUCED_visionos(v) __attribute__((availability(visionos, introduced = v)))
#define STANDIN_UNAVAILABLE_macos __attribute__((availability(macos, unavailable)))
#define STANDIN_UNAVAILABLE_ios __attribute__((availability(ios, unavailable)))
#define STANDIN_UNAVAILABLE_macCatalyst __attribute__((availability(maccatalyst, unavailable)))
#define STANDIN_UNAVAILABLE_tvos __attribute__((availability(tvos, unavailable)))
#define STANDIN_UNAVAILABLE_watchos __attribute__((availability(watchos, unavailable)))
#define STANDIN_UNAVAILABLE_visionos __attribute__((availability(visionos, unavailable)))
#define STANDIN_FIVE(a, b, c, d, e, f, name, ...) name
#define STANDIN_A1(a) STANDIN_INTRODUCED_##a
#define STANDIN_A2(a, b) STANDIN_A1(a) STANDIN_A1(b)
#define STANDIN_A3(a, b, c) STANDIN_A2(a, b) STANDIN_A1(c)
#define STANDIN_A4(a, b, c, d) STANDIN_A3(a, b, c) STANDIN_A1(d)
#define STANDIN_A5(a, b, c, d, e) STANDIN_A4(a, b, c, d) STANDIN_A1(e)
#define STANDIN_A6(a, b, c, d, e, f) STANDIN_A5(a, b, c, d, e) STANDIN_A1(f)
#define STANDIN_U1(a) STANDIN_UNAVAILABLE_##a
#define STANDIN_U2(a, b) STANDIN_U1(a) STANDIN_U1(b)
#define STANDIN_U3(a, b, c) STANDIN_U2(a, b) STANDIN_U1(c)
#define STANDIN_U4(a, b, c, d) STANDIN_U3(a, b, c) STANDIN_U1(d)
#define STANDIN_U5(a, b, c, d, e) STANDIN_U4(a, b, c, d) STANDIN_U1(e)
#define STANDIN_U6(a, b, c, d, e, f) STANDIN_U5(a, b, c, d, e) STANDIN_U1(f)
#define API_AVAILABLE(...) \
    STANDIN_FIVE(__VA_ARGS__, STANDIN_A6, STANDIN_A5, STANDIN_A4, STANDIN_A3, STANDIN_A2, STANDIN_A1)(__VA_ARGS__)
#define API_UNAVAILABLE(...) \
    STANDIN_FIVE(__VA_ARGS__, STANDIN_U6, STANDIN_U5, STANDIN_U4, STANDIN_U3, STANDIN_U2, STANDIN_U1)(__VA_ARGS__)
#endif
