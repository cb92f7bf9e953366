// SPDX-License-Identifier: Apache-2.0
//
// AppKit: only what the adapter uses. Names, nullability, isolation and availability are those of developer.apple.com/documentation/appkit, page by page
// under the declaration's name. NSResponder and its subclasses are on the main actor. What has no API_AVAILABLE is older than macOS 13.
#ifndef STANDIN_APPKIT_H
#define STANDIN_APPKIT_H
#include <Foundation/Foundation.h>
#pragma clang assume_nonnull begin
NS_SWIFT_SENDABLE
@interface NSColor : NSObject
@property (class, readonly, strong) NSColor *textBackgroundColor NS_SWIFT_NAME(textBackgroundColor);
@end
NS_SWIFT_SENDABLE
@interface NSFont : NSObject
@end
// .../appkit/nsevent: on no actor, not Sendable; .../appkit/nsevent/addlocalmonitorforevents(matching:handler:): so is its closure.
typedef NS_OPTIONS(unsigned long long, NSEventMask) {
    NSEventMaskLeftMouseDown = 1ULL << 1, NSEventMaskRightMouseDown = 1ULL << 3, NSEventMaskMouseMoved = 1ULL << 5,
    NSEventMaskLeftMouseDragged = 1ULL << 6, NSEventMaskKeyDown = 1ULL << 10, NSEventMaskFlagsChanged = 1ULL << 12,
    NSEventMaskRotate = 1ULL << 18, NSEventMaskScrollWheel = 1ULL << 22, NSEventMaskOtherMouseDown = 1ULL << 25,
    NSEventMaskGesture = 1ULL << 29, NSEventMaskMagnify = 1ULL << 30, NSEventMaskSwipe = 1ULL << 31,
} NS_SWIFT_NAME(NSEvent.EventTypeMask);
@interface NSEvent : NSObject <NSCopying, NSCoding>
+ (nullable id)addLocalMonitorForEventsMatchingMask:(NSEventMask)mask
                                            handler:(NSEvent *_Nullable (^)(NSEvent *event))block NS_SWIFT_NAME(addLocalMonitorForEvents(matching:handler:));
+ (void)removeMonitor:(id)eventMonitor;
@end
NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject <NSCoding>
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@end
// .../appkit/nsview/autoresizingmask-swift.struct
typedef NS_OPTIONS(NSUInteger, NSAutoresizingMaskOptions) {
    NSViewNotSizable = 0, NSViewWidthSizable NS_SWIFT_NAME(width) = 2, NSViewHeightSizable NS_SWIFT_NAME(height) = 16,
} NS_SWIFT_NAME(NSView.AutoresizingMask);
NS_SWIFT_UI_ACTOR
@interface NSView : NSResponder
- (instancetype)initWithFrame:(CGRect)frameRect NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property CGRect frame;
@property CGRect bounds;
@property (getter=isHidden) BOOL hidden;
@property NSAutoresizingMaskOptions autoresizingMask NS_SWIFT_NAME(autoresizingMask);
@property (copy) NSArray<__kindof NSView *> *subviews;
- (void)addSubview:(NSView *)view;
- (void)removeFromSuperview;
- (nullable NSView *)hitTest:(CGPoint)point;
@end
// .../appkit/nstext/string
NS_SWIFT_UI_ACTOR
@interface NSText : NSView
@property (copy) NSString *string;
@end
// .../appkit/nscontrol: stringValue ends editing when it is set; currentEditor() is the field editor, or nil.
NS_SWIFT_UI_ACTOR
@interface NSControl : NSView
@property (copy) NSString *stringValue;
@property (nullable, strong) NSFont *font;
- (nullable NSText *)currentEditor;
@end
extern NSNotificationName const NSControlTextDidChangeNotification NS_SWIFT_NAME(NSControl.textDidChangeNotification);
// .../appkit/nstextcontenttype: struct; password is of macOS 11.
typedef NSString *NSTextContentType NS_TYPED_ENUM;
extern NSTextContentType const NSTextContentTypePassword API_AVAILABLE(macos(11.0));
extern NSTextContentType const NSTextContentTypeNewPassword API_AVAILABLE(macos(14.0));
NS_SWIFT_UI_ACTOR
@interface NSTextField : NSControl
@property (nullable, copy) NSColor *backgroundColor;
@property BOOL drawsBackground;
@property (nullable, copy) NSColor *textColor;
@property (getter=isBezeled) BOOL bezeled;
@property (getter=isEditable) BOOL editable;
@property (getter=isSelectable) BOOL selectable;
@property (nullable, copy) NSTextContentType contentType API_AVAILABLE(macos(11.0));
@end
NS_SWIFT_UI_ACTOR
@interface NSSecureTextField : NSTextField
@end
#pragma clang assume_nonnull end
#endif
