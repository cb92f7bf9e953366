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
@property (class, readonly, strong) NSColor *windowBackgroundColor NS_SWIFT_NAME(windowBackgroundColor);
@end
// .../appkit/nsfont/textstyle, .../appkit/nsfont/preferredfont(fortextstyle:options:): macOS 11.
typedef NSString *NSFontTextStyle NS_TYPED_ENUM NS_SWIFT_NAME(NSFont.TextStyle);
typedef NSString *NSFontTextStyleOptionKey NS_TYPED_ENUM NS_SWIFT_NAME(NSFont.TextStyleOptionKey);
extern NSFontTextStyle const NSFontTextStyleHeadline API_AVAILABLE(macos(11.0));
NS_SWIFT_SENDABLE
@interface NSFont : NSObject
+ (NSFont *)preferredFontForTextStyle:(NSFontTextStyle)style
                              options:(NSDictionary<NSFontTextStyleOptionKey, id> *)options
    NS_SWIFT_NAME(preferredFont(forTextStyle:options:)) API_AVAILABLE(macos(11.0));
@end
NS_SWIFT_SENDABLE
@interface NSImage : NSObject
+ (nullable NSImage *)imageNamed:(NSString *)name NS_SWIFT_NAME(init(named:));
@end
// .../appkit/nsevent: on no actor, not Sendable; .../appkit/nsevent/addlocalmonitorforevents(matching:handler:): so is its closure.
typedef NS_OPTIONS(unsigned long long, NSEventMask) {
    NSEventMaskLeftMouseDown = 1ULL << 1, NSEventMaskRightMouseDown = 1ULL << 3, NSEventMaskMouseMoved = 1ULL << 5,
    NSEventMaskLeftMouseDragged = 1ULL << 6, NSEventMaskKeyDown = 1ULL << 10, NSEventMaskFlagsChanged = 1ULL << 12,
    NSEventMaskRotate = 1ULL << 18, NSEventMaskScrollWheel = 1ULL << 22, NSEventMaskOtherMouseDown = 1ULL << 25,
    NSEventMaskGesture = 1ULL << 29, NSEventMaskMagnify = 1ULL << 30, NSEventMaskSwipe = 1ULL << 31,
} NS_SWIFT_NAME(NSEvent.EventTypeMask);
typedef NS_OPTIONS(NSUInteger, NSEventModifierFlags) {
    NSEventModifierFlagShift = 1 << 17, NSEventModifierFlagControl = 1 << 18, NSEventModifierFlagOption = 1 << 19,
    NSEventModifierFlagCommand = 1 << 20,
} NS_SWIFT_NAME(NSEvent.ModifierFlags);
@interface NSEvent : NSObject <NSCopying, NSCoding>
@property (readonly) NSEventModifierFlags modifierFlags;
@property (nullable, readonly, copy) NSString *charactersIgnoringModifiers;
+ (nullable id)addLocalMonitorForEventsMatchingMask:(NSEventMask)mask
                                            handler:(NSEvent *_Nullable (^)(NSEvent *event))block NS_SWIFT_NAME(addLocalMonitorForEvents(matching:handler:));
+ (void)removeMonitor:(id)eventMonitor;
@end
NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject <NSCoding>
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property (readonly) BOOL acceptsFirstResponder;
- (void)mouseDown:(NSEvent *)event NS_SWIFT_NAME(mouseDown(with:));
- (void)mouseUp:(NSEvent *)event NS_SWIFT_NAME(mouseUp(with:));
- (void)mouseDragged:(NSEvent *)event NS_SWIFT_NAME(mouseDragged(with:));
- (void)rightMouseDown:(NSEvent *)event NS_SWIFT_NAME(rightMouseDown(with:));
- (void)otherMouseDown:(NSEvent *)event NS_SWIFT_NAME(otherMouseDown(with:));
- (void)scrollWheel:(NSEvent *)event NS_SWIFT_NAME(scrollWheel(with:));
- (void)magnifyWithEvent:(NSEvent *)event NS_SWIFT_NAME(magnify(with:));
- (void)swipeWithEvent:(NSEvent *)event NS_SWIFT_NAME(swipe(with:));
- (void)keyDown:(NSEvent *)event NS_SWIFT_NAME(keyDown(with:));
- (void)keyUp:(NSEvent *)event NS_SWIFT_NAME(keyUp(with:));
- (BOOL)performKeyEquivalent:(NSEvent *)event NS_SWIFT_NAME(performKeyEquivalent(with:));
@end
// .../appkit/nslayoutanchor, .../appkit/nslayoutconstraint
NS_SWIFT_UI_ACTOR
@interface NSLayoutConstraint : NSObject
+ (void)activateConstraints:(NSArray<NSLayoutConstraint *> *)constraints;
@end
@class NSLayoutXAxisAnchor, NSLayoutYAxisAnchor;
NS_SWIFT_UI_ACTOR
@interface NSLayoutAnchor<AnchorType> : NSObject
- (NSLayoutConstraint *)constraintEqualToAnchor:(NSLayoutAnchor<AnchorType> *)anchor NS_SWIFT_NAME(constraint(equalTo:));
- (NSLayoutConstraint *)constraintEqualToAnchor:(NSLayoutAnchor<AnchorType> *)anchor
                                       constant:(CGFloat)c NS_SWIFT_NAME(constraint(equalTo:constant:));
@end
@interface NSLayoutXAxisAnchor : NSLayoutAnchor <NSLayoutXAxisAnchor *>
@end
@interface NSLayoutYAxisAnchor : NSLayoutAnchor <NSLayoutYAxisAnchor *>
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
@property BOOL translatesAutoresizingMaskIntoConstraints;
@property (readonly, strong) NSLayoutXAxisAnchor *leadingAnchor;
@property (readonly, strong) NSLayoutXAxisAnchor *trailingAnchor;
@property (readonly, strong) NSLayoutYAxisAnchor *centerYAnchor;
// .../appkit/nsaccessibilityprotocol: an object's own values replace the defaults.
- (void)setAccessibilityChildren:(nullable NSArray *)accessibilityChildren;
- (void)setAccessibilityLabel:(nullable NSString *)accessibilityLabel;
@end
// .../appkit/nstext/string, .../appkit/nstext/delegate
NS_SWIFT_UI_ACTOR
@protocol NSTextDelegate <NSObject>
@end
NS_SWIFT_UI_ACTOR
@interface NSText : NSView
@property (copy) NSString *string;
@property (nullable, weak) id<NSTextDelegate> delegate;
@end
typedef NS_ENUM(NSInteger, NSTextAlignment) { NSTextAlignmentLeft = 0, NSTextAlignmentRight = 1, NSTextAlignmentCenter = 2 };
// .../appkit/nscontrol: stringValue ends editing when it is set; currentEditor() is the field editor, or nil.
NS_SWIFT_UI_ACTOR
@interface NSControl : NSView
@property (copy) NSString *stringValue;
@property (nullable, strong) NSFont *font;
- (nullable NSText *)currentEditor;
// .../appkit/nscontrol/alignment
@property NSTextAlignment alignment;
@end
extern NSNotificationName const NSControlTextDidChangeNotification NS_SWIFT_NAME(NSControl.textDidChangeNotification);
// .../appkit/nstextcontenttype: struct; password is of macOS 11.
typedef NSString *NSTextContentType NS_TYPED_ENUM;
extern NSTextContentType const NSTextContentTypePassword API_AVAILABLE(macos(11.0));
extern NSTextContentType const NSTextContentTypeNewPassword API_AVAILABLE(macos(14.0));
NS_SWIFT_UI_ACTOR
@interface NSTextField : NSControl
+ (instancetype)labelWithString:(NSString *)stringValue NS_SWIFT_NAME(init(labelWithString:));
+ (instancetype)wrappingLabelWithString:(NSString *)stringValue NS_SWIFT_NAME(init(wrappingLabelWithString:));
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
NS_SWIFT_UI_ACTOR
@interface NSButton : NSControl
+ (instancetype)buttonWithTitle:(NSString *)title target:(nullable id)target action:(nullable SEL)action NS_SWIFT_NAME(init(title:target:action:));
@property (copy) NSString *title;
@property (copy) NSString *keyEquivalent;
@end
NS_SWIFT_UI_ACTOR
@interface NSImageView : NSControl
@property (nullable, strong) NSImage *image;
@end
typedef NS_ENUM(NSInteger, NSUserInterfaceLayoutOrientation) {
    NSUserInterfaceLayoutOrientationHorizontal = 0, NSUserInterfaceLayoutOrientationVertical = 1,
};
NS_SWIFT_UI_ACTOR
@interface NSStackView : NSView
+ (instancetype)stackViewWithViews:(NSArray<NSView *> *)views NS_SWIFT_NAME(init(views:));
@property NSUserInterfaceLayoutOrientation orientation;
- (void)insertArrangedSubview:(NSView *)view atIndex:(NSInteger)insertionIndex NS_SWIFT_NAME(insertArrangedSubview(_:at:));
@end
// .../appkit/nssplitview/arrangesallsubviews
NS_SWIFT_UI_ACTOR
@interface NSSplitView : NSView
@property BOOL arrangesAllSubviews;
@end
typedef NS_ENUM(NSUInteger, NSBoxType) { NSBoxPrimary = 0, NSBoxSeparator = 2, NSBoxCustom = 4 } NS_SWIFT_NAME(NSBox.BoxType);
typedef NS_ENUM(NSUInteger, NSTitlePosition) { NSNoTitle = 0, NSAboveTop = 1, NSAtTop = 2 } NS_SWIFT_NAME(NSBox.TitlePosition);
NS_SWIFT_UI_ACTOR
@interface NSBox : NSView
@property NSBoxType boxType;
@property NSTitlePosition titlePosition;
@property CGFloat borderWidth;
@property (copy) NSColor *fillColor;
@property (nullable, strong) __kindof NSView *contentView;
@end
NS_SWIFT_UI_ACTOR
@interface NSViewController : NSResponder
// .../appkit/nsviewcontroller/loadview()
- (void)loadView;
@property (strong) NSView *view;
@end
// .../appkit/nsdocktile/contentview: drawn in place of the picture of the window.
@interface NSDockTile : NSObject
@property (nullable, strong) NSView *contentView;
- (void)display;
@end
// .../appkit/nswindow/sharingtype-swift.enum/none: "a legacy constant that macOS no longer uses".
typedef NS_ENUM(NSUInteger, NSWindowSharingType) { NSWindowSharingNone = 0, NSWindowSharingReadOnly = 1 } NS_SWIFT_NAME(NSWindow.SharingType);
typedef NS_ENUM(NSInteger, NSWindowTitleVisibility) {
    NSWindowTitleVisible = 0, NSWindowTitleHidden = 1,
} NS_SWIFT_NAME(NSWindow.TitleVisibility);
typedef NSInteger NSWindowLevel NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSWindow.Level);
static const NSWindowLevel NSModalPanelWindowLevel NS_SWIFT_NAME(NSWindow.Level.modalPanel) = 8;
NS_SWIFT_UI_ACTOR
@interface NSWindow : NSResponder
+ (instancetype)windowWithContentViewController:(NSViewController *)contentViewController NS_SWIFT_NAME(init(contentViewController:));
@property (nullable, strong) __kindof NSView *contentView;
@property (readonly, getter=isVisible) BOOL visible;
@property (readonly, getter=isMiniaturized) BOOL miniaturized;
@property (getter=isReleasedWhenClosed) BOOL releasedWhenClosed;
@property NSWindowLevel level;
@property NSWindowSharingType sharingType;
@property NSWindowTitleVisibility titleVisibility;
@property (readonly, strong) NSDockTile *dockTile;
@property (nullable, readonly, strong) NSWindow *sheetParent;
// .../appkit/nswindow/tabbedwindows: nil unless it is in a group of tabs.
@property (nullable, readonly, copy) NSArray<NSWindow *> *tabbedWindows;
@property (nullable, weak) NSWindow *parentWindow NS_SWIFT_NAME(parent);
@property (nullable, readonly, weak) NSResponder *firstResponder;
- (BOOL)makeFirstResponder:(nullable NSResponder *)responder __attribute__((swift_attr("discardableResult")));
- (void)endEditingFor:(nullable id)object NS_SWIFT_NAME(endEditing(for:));
- (void)displayIfNeeded;
- (void)disableSnapshotRestoration;
- (void)center;
- (void)close;
- (void)makeKeyAndOrderFront:(nullable id)sender;
@end
// Posted by a window.
extern NSNotificationName const NSWindowDidBecomeKeyNotification NS_SWIFT_NAME(NSWindow.didBecomeKeyNotification);
extern NSNotificationName const NSWindowDidChangeOcclusionStateNotification NS_SWIFT_NAME(NSWindow.didChangeOcclusionStateNotification);
extern NSNotificationName const NSWindowWillMiniaturizeNotification NS_SWIFT_NAME(NSWindow.willMiniaturizeNotification);
extern NSNotificationName const NSWindowDidDeminiaturizeNotification NS_SWIFT_NAME(NSWindow.didDeminiaturizeNotification);
extern NSNotificationName const NSWindowWillCloseNotification NS_SWIFT_NAME(NSWindow.willCloseNotification);
NS_SWIFT_UI_ACTOR
@interface NSApplication : NSResponder
@property (readonly, copy) NSArray<NSWindow *> *windows;
@property (getter=isActive, readonly) BOOL active;
@property (null_resettable, strong) NSImage *applicationIconImage;
@end
// .../appkit/nsapp: nil before the application is made.
NS_SWIFT_UI_ACTOR
extern __kindof NSApplication *_Null_unspecified NSApp;
NS_SWIFT_UI_ACTOR
@protocol NSApplicationDelegate <NSObject>
@optional
- (void)applicationWillFinishLaunching:(NSNotification *)notification;
@end
NS_SWIFT_UI_ACTOR
@interface NSMenuItem : NSObject
@end
// .../appkit/nsmenuitemvalidation
NS_SWIFT_UI_ACTOR
@protocol NSMenuItemValidation <NSObject>
- (BOOL)validateMenuItem:(NSMenuItem *)menuItem NS_SWIFT_NAME(validateMenuItem(_:));
@end
extern NSNotificationName const NSApplicationWillResignActiveNotification NS_SWIFT_NAME(NSApplication.willResignActiveNotification);
extern NSNotificationName const NSApplicationDidBecomeActiveNotification NS_SWIFT_NAME(NSApplication.didBecomeActiveNotification);
extern NSNotificationName const NSApplicationWillHideNotification NS_SWIFT_NAME(NSApplication.willHideNotification);
extern NSNotificationName const NSApplicationDidUnhideNotification NS_SWIFT_NAME(NSApplication.didUnhideNotification);
extern NSNotificationName const NSApplicationWillUpdateNotification NS_SWIFT_NAME(NSApplication.willUpdateNotification);
// .../appkit/nsworkspace: on no actor; its notifications are posted by its own center.
@interface NSWorkspace : NSObject
@property (class, readonly, strong) NSWorkspace *sharedWorkspace NS_SWIFT_NAME(shared);
@property (readonly, strong) NSNotificationCenter *notificationCenter;
@end
extern NSNotificationName const NSWorkspaceSessionDidResignActiveNotification NS_SWIFT_NAME(NSWorkspace.sessionDidResignActiveNotification);
extern NSNotificationName const NSWorkspaceSessionDidBecomeActiveNotification NS_SWIFT_NAME(NSWorkspace.sessionDidBecomeActiveNotification);
extern NSNotificationName const NSWorkspaceScreensDidSleepNotification NS_SWIFT_NAME(NSWorkspace.screensDidSleepNotification);
extern NSNotificationName const NSWorkspaceScreensDidWakeNotification NS_SWIFT_NAME(NSWorkspace.screensDidWakeNotification);
#pragma clang assume_nonnull end
#endif
