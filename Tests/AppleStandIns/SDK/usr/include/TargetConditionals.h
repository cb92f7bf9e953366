// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_TARGETCONDITIONALS_H
#define STANDIN_TARGETCONDITIONALS_H
// What clang says of the target: __is_target_os and __is_target_environment (clang's language extensions).
#define TARGET_OS_MAC 1
#if __is_target_os(macos)
#define TARGET_OS_OSX 1
#else
#define TARGET_OS_OSX 0
#endif
#define TARGET_OS_IPHONE (!TARGET_OS_OSX)
#if __is_target_os(ios)
#define TARGET_OS_IOS 1
#else
#define TARGET_OS_IOS 0
#endif
#if __is_target_environment(macabi)
#define TARGET_OS_MACCATALYST 1
#else
#define TARGET_OS_MACCATALYST 0
#endif
#if __is_target_os(tvos)
#define TARGET_OS_TV 1
#else
#define TARGET_OS_TV 0
#endif
#if __is_target_os(watchos)
#define TARGET_OS_WATCH 1
#else
#define TARGET_OS_WATCH 0
#endif
#if __is_target_os(xros)
#define TARGET_OS_VISION 1
#else
#define TARGET_OS_VISION 0
#endif
#define TARGET_OS_SIMULATOR 0
#define TARGET_CPU_ARM64 1
#endif
