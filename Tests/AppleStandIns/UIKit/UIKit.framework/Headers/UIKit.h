// SPDX-License-Identifier: Apache-2.0
//
// UIKit: only what the adapters use. Names, nullability, isolation and availability are those of developer.apple.com/documentation/uikit, page by page
// under the declaration's name (the pages ending in .md state availability by platform). What has no API_AVAILABLE is older than iOS 16. A class
// is on the main actor (NS_SWIFT_UI_ACTOR) where its page says @MainActor; notifications' names are nonisolated.
#ifndef STANDIN_UIKIT_H
#define STANDIN_UIKIT_H
#include <Foundation/Foundation.h>
#pragma clang assume_nonnull begin
#define UIKIT_EXTERN extern
#define STANDIN_NOT_TV API_UNAVAILABLE(tvos, watchos)
#define STANDIN_NOT_VISION API_UNAVAILABLE(visionos)

@class UIWindow, UIWindowScene, UIScene, UIView, UIViewController, UITraitCollection, UIAction, UIImage, UIFont, UIColor, UIScreen, UIEvent,
    UIPressesEvent, UIPress, UITouch, UIDragInteraction, UIGestureRecognizer;

// Geometry of views: .../uikit/uiview/autoresizingmask-swift.struct, .../uiview/contentmode-swift.enum.
typedef NS_OPTIONS(NSUInteger, UIViewAutoresizing) {
    UIViewAutoresizingNone = 0, UIViewAutoresizingFlexibleWidth = 1 << 1, UIViewAutoresizingFlexibleHeight = 1 << 4,
} NS_SWIFT_NAME(UIView.AutoresizingMask);
typedef NS_ENUM(NSInteger, UIViewContentMode) { UIViewContentModeScaleToFill, UIViewContentModeCenter = 4 } NS_SWIFT_NAME(UIView.ContentMode);
// .../uikit/nslinebreakmode
typedef NS_ENUM(NSInteger, NSLineBreakMode) { NSLineBreakByWordWrapping = 0, NSLineBreakByCharWrapping, NSLineBreakByClipping };
typedef NS_ENUM(NSInteger, NSTextAlignment) { NSTextAlignmentLeft = 0, NSTextAlignmentCenter = 1, NSTextAlignmentNatural = 4 };

// .../uikit/uicolor: class UIColor, Sendable.
NS_SWIFT_SENDABLE
@interface UIColor : NSObject
@property (class, readonly) UIColor *systemBackgroundColor NS_SWIFT_NAME(systemBackground) API_UNAVAILABLE(tvos, watchos);
@property (class, readonly) UIColor *secondarySystemBackgroundColor NS_SWIFT_NAME(secondarySystemBackground) API_UNAVAILABLE(tvos, watchos);
@property (readonly) CGColorRef CGColor NS_SWIFT_NAME(cgColor);
@end
typedef NSString *UIFontTextStyle NS_TYPED_ENUM NS_SWIFT_NAME(UIFont.TextStyle);
NS_SWIFT_SENDABLE
@interface UIFont : NSObject
+ (UIFont *)preferredFontForTextStyle:(UIFontTextStyle)style;
@end
UIKIT_EXTERN UIFontTextStyle const UIFontTextStyleBody;
UIKIT_EXTERN UIFontTextStyle const UIFontTextStyleHeadline;
NS_SWIFT_SENDABLE
@interface UIImage : NSObject
+ (nullable UIImage *)imageNamed:(NSString *)name;
@end

// .../uikit/uiresponder: @MainActor class.
typedef NS_ENUM(NSInteger, UIEventSubtype) { UIEventSubtypeNone = 0, UIEventSubtypeMotionShake = 1 } NS_SWIFT_NAME(UIEvent.EventSubtype);
NS_SWIFT_UI_ACTOR @interface UIEvent : NSObject
@end
NS_SWIFT_UI_ACTOR @interface UIPressesEvent : UIEvent
@end
NS_SWIFT_UI_ACTOR @interface UIPress : NSObject
@end
NS_SWIFT_UI_ACTOR @interface UITouch : NSObject
@end
@protocol UIMenuBuilder;
NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject
@property (nonatomic, readonly) BOOL canBecomeFirstResponder;
- (BOOL)becomeFirstResponder __attribute__((swift_attr("@discardableResult")));
- (BOOL)resignFirstResponder __attribute__((swift_attr("@discardableResult")));
@property (nonatomic, readonly) BOOL isFirstResponder;
- (BOOL)canPerformAction:(SEL)action withSender:(nullable id)sender;
// .../uikit/uiresponderstandardeditactions/copy(_:), to which UIResponder conforms.
- (void)copy:(nullable id)sender;
- (nullable id)targetForAction:(SEL)action withSender:(nullable id)sender;
- (void)pressesBegan:(NSSet<UIPress *> *)presses withEvent:(nullable UIPressesEvent *)event;
- (void)pressesChanged:(NSSet<UIPress *> *)presses withEvent:(nullable UIPressesEvent *)event;
- (void)pressesEnded:(NSSet<UIPress *> *)presses withEvent:(nullable UIPressesEvent *)event;
- (void)pressesCancelled:(NSSet<UIPress *> *)presses withEvent:(nullable UIPressesEvent *)event;
- (void)motionBegan:(UIEventSubtype)motion withEvent:(nullable UIEvent *)event;
- (void)motionEnded:(UIEventSubtype)motion withEvent:(nullable UIEvent *)event;
- (void)motionCancelled:(UIEventSubtype)motion withEvent:(nullable UIEvent *)event;
- (void)remoteControlReceivedWithEvent:(nullable UIEvent *)event NS_SWIFT_NAME(remoteControlReceived(with:));
- (void)buildMenuWithBuilder:(id<UIMenuBuilder>)builder NS_SWIFT_NAME(buildMenu(with:));
@end

// .../uikit/uimenu/identifier-swift.struct; removing by it: .../uikit/uimenubuilder.
typedef NSString *UIMenuIdentifier NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UIMenu.Identifier);
NS_SWIFT_UI_ACTOR @interface UIMenuElement : NSObject
@end
NS_SWIFT_UI_ACTOR @interface UIMenu : UIMenuElement
@end
UIKIT_EXTERN UIMenuIdentifier const UIMenuLookup NS_SWIFT_NAME(UIMenuIdentifier.lookup) NS_SWIFT_NONISOLATED STANDIN_NOT_TV;
UIKIT_EXTERN UIMenuIdentifier const UIMenuLearn NS_SWIFT_NAME(UIMenuIdentifier.learn) NS_SWIFT_NONISOLATED STANDIN_NOT_TV;
UIKIT_EXTERN UIMenuIdentifier const UIMenuShare NS_SWIFT_NAME(UIMenuIdentifier.share) NS_SWIFT_NONISOLATED STANDIN_NOT_TV;
UIKIT_EXTERN UIMenuIdentifier const UIMenuSpeech NS_SWIFT_NAME(UIMenuIdentifier.speech) NS_SWIFT_NONISOLATED STANDIN_NOT_TV;
NS_SWIFT_UI_ACTOR
@protocol UIMenuBuilder <NSObject>
- (void)removeMenuForIdentifier:(UIMenuIdentifier)removedIdentifier NS_SWIFT_NAME(remove(menu:));
@end
typedef NSString *UIActionIdentifier NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UIAction.Identifier);
typedef void (^UIActionHandler)(UIAction *action);
NS_SWIFT_UI_ACTOR
@interface UIAction : UIMenuElement
@property (nonatomic, readonly) UIActionIdentifier identifier;
@end

// Assistive technology: .../uikit/uiaccessibility-protocol, on the main actor.
@interface NSObject (UIAccessibility)
@property (nonatomic) BOOL isAccessibilityElement NS_SWIFT_UI_ACTOR;
@property (nullable, nonatomic, copy) NSString *accessibilityLabel NS_SWIFT_UI_ACTOR;
@property (nonatomic) BOOL accessibilityElementsHidden NS_SWIFT_UI_ACTOR;
@property (nonatomic) BOOL accessibilityViewIsModal NS_SWIFT_UI_ACTOR;
@end

// Auto Layout: .../uikit/nslayoutanchor, .../uikit/nslayoutconstraint.
typedef float UILayoutPriority NS_TYPED_EXTENSIBLE_ENUM;
static const UILayoutPriority UILayoutPriorityDefaultLow NS_SWIFT_NAME(UILayoutPriority.defaultLow) = 250;
NS_SWIFT_UI_ACTOR
@interface NSLayoutConstraint : NSObject
@property UILayoutPriority priority;
+ (void)activateConstraints:(NSArray<NSLayoutConstraint *> *)constraints;
@end
@class NSLayoutXAxisAnchor, NSLayoutYAxisAnchor, NSLayoutDimension;
NS_SWIFT_UI_ACTOR
@interface NSLayoutAnchor<AnchorType> : NSObject
- (NSLayoutConstraint *)constraintEqualToAnchor:(NSLayoutAnchor<AnchorType> *)anchor NS_SWIFT_NAME(constraint(equalTo:));
- (NSLayoutConstraint *)constraintGreaterThanOrEqualToAnchor:(NSLayoutAnchor<AnchorType> *)anchor NS_SWIFT_NAME(constraint(greaterThanOrEqualTo:));
@end
@interface NSLayoutXAxisAnchor : NSLayoutAnchor <NSLayoutXAxisAnchor *>
@end
@interface NSLayoutYAxisAnchor : NSLayoutAnchor <NSLayoutYAxisAnchor *>
@end
@interface NSLayoutDimension : NSLayoutAnchor <NSLayoutDimension *>
@end
NS_SWIFT_UI_ACTOR
@interface UILayoutGuide : NSObject
@property (readonly, strong) NSLayoutXAxisAnchor *leadingAnchor;
@property (readonly, strong) NSLayoutXAxisAnchor *trailingAnchor;
@property (readonly, strong) NSLayoutYAxisAnchor *topAnchor;
@property (readonly, strong) NSLayoutYAxisAnchor *bottomAnchor;
@property (readonly, strong) NSLayoutDimension *widthAnchor;
@property (readonly, strong) NSLayoutDimension *heightAnchor;
@property (readonly, strong) NSLayoutYAxisAnchor *centerYAnchor;
@end

// Traits: .../uikit/uitraitcollection (Sendable, nonisolated), .../uikit/uitraitcollection/scenecapturestate (iOS 17, visionOS 1).
typedef NS_ENUM(NSInteger, UISceneCaptureState) {
    UISceneCaptureStateUnspecified = -1, UISceneCaptureStateInactive, UISceneCaptureStateActive,
} API_AVAILABLE(ios(17.0), tvos(17.0), visionos(1.0)) API_UNAVAILABLE(watchos);
NS_SWIFT_SENDABLE
@interface UITraitCollection : NSObject
@property (nonatomic, readonly) UISceneCaptureState sceneCaptureState API_AVAILABLE(ios(17.0), tvos(17.0), visionos(1.0)) API_UNAVAILABLE(watchos);
@end
NS_SWIFT_UI_ACTOR
@protocol UITraitEnvironment <NSObject>
@property (nonatomic, readonly) UITraitCollection *traitCollection;
@end
NS_SWIFT_UI_ACTOR API_AVAILABLE(ios(17.0), tvos(17.0), visionos(1.0)) API_UNAVAILABLE(watchos)
@protocol UITraitChangeRegistration <NSObject, NSCopying>
@end

// .../uikit/uigesturerecognizer, .../uikit/uigesturerecognizerdelegate: on the main actor, all methods optional. Hovering: not on tvOS and watchOS.
NS_SWIFT_UI_ACTOR
@protocol UIGestureRecognizerDelegate <NSObject>
@optional
- (BOOL)gestureRecognizer:(UIGestureRecognizer *)gestureRecognizer shouldReceiveTouch:(UITouch *)touch;
- (BOOL)gestureRecognizer:(UIGestureRecognizer *)gestureRecognizer shouldReceivePress:(UIPress *)press;
- (BOOL)gestureRecognizer:(UIGestureRecognizer *)gestureRecognizer shouldReceiveEvent:(UIEvent *)event;
@end
NS_SWIFT_UI_ACTOR
@interface UIGestureRecognizer : NSObject
- (instancetype)initWithTarget:(nullable id)target action:(nullable SEL)action NS_DESIGNATED_INITIALIZER;
- (instancetype)init;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (nullable, nonatomic, weak) id<UIGestureRecognizerDelegate> delegate;
@property (nonatomic) BOOL cancelsTouchesInView;
@end
NS_SWIFT_UI_ACTOR
@interface UITapGestureRecognizer : UIGestureRecognizer
@end
NS_SWIFT_UI_ACTOR STANDIN_NOT_TV
@interface UIHoverGestureRecognizer : UIGestureRecognizer
@end

@interface CALayer : NSObject
@property CGFloat zPosition;
@end

// .../uikit/uiview: @MainActor class.
NS_SWIFT_UI_ACTOR
@interface UIView : UIResponder <NSCoding, UITraitEnvironment>
- (instancetype)initWithFrame:(CGRect)frame NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property (nonatomic) CGRect frame;
@property (nonatomic) CGRect bounds;
@property (nonatomic) CGFloat alpha;
@property (nonatomic, getter=isHidden) BOOL hidden;
@property (nonatomic, getter=isUserInteractionEnabled) BOOL userInteractionEnabled;
@property (nonatomic) UIViewContentMode contentMode;
@property (nonatomic) UIViewAutoresizing autoresizingMask;
@property (nullable, nonatomic, copy) UIColor *backgroundColor;
@property (nonatomic, readonly, strong) CALayer *layer;
@property (nullable, nonatomic, readonly) UIView *superview;
@property (nonatomic, readonly, copy) NSArray<__kindof UIView *> *subviews;
@property (nullable, nonatomic, readonly) UIWindow *window;
- (void)addSubview:(UIView *)view;
- (void)bringSubviewToFront:(UIView *)view NS_SWIFT_NAME(bringSubviewToFront(_:));
- (CGSize)sizeThatFits:(CGSize)size;
@property (nullable, nonatomic, copy) NSArray<__kindof UIGestureRecognizer *> *gestureRecognizers;
- (void)addGestureRecognizer:(UIGestureRecognizer *)gestureRecognizer;
- (void)removeFromSuperview;
- (void)didMoveToWindow;
- (BOOL)endEditing:(BOOL)force __attribute__((swift_attr("@discardableResult")));
+ (void)performWithoutAnimation:(void(NS_NOESCAPE ^)(void))actionsWithoutAnimation;
@property (nonatomic) BOOL translatesAutoresizingMaskIntoConstraints;
@property (readonly, strong) NSLayoutXAxisAnchor *leadingAnchor;
@property (readonly, strong) NSLayoutXAxisAnchor *trailingAnchor;
@property (readonly, strong) NSLayoutYAxisAnchor *topAnchor;
@property (readonly, strong) NSLayoutYAxisAnchor *bottomAnchor;
@property (readonly, strong) NSLayoutDimension *widthAnchor;
@property (readonly, strong) NSLayoutDimension *heightAnchor;
@property (readonly, strong) NSLayoutYAxisAnchor *centerYAnchor;
@property (nonatomic, readonly, strong) UILayoutGuide *safeAreaLayoutGuide;
@property (readonly, strong) UILayoutGuide *layoutMarginsGuide;
@property (nullable, nonatomic, copy) NSString *accessibilityIdentifier;
@end
NS_SWIFT_UI_ACTOR
@protocol UIContentSizeCategoryAdjusting <NSObject>
@property (nonatomic) BOOL adjustsFontForContentSizeCategory;
@end
NS_SWIFT_UI_ACTOR
@interface UILabel : UIView <UIContentSizeCategoryAdjusting>
@property (nullable, nonatomic, copy) NSString *text;
@property (null_resettable, nonatomic, strong) UIFont *font;
@property (null_resettable, nonatomic, strong) UIColor *textColor;
@property (nonatomic) NSTextAlignment textAlignment;
@property (nonatomic) NSInteger numberOfLines;
@property (nonatomic) NSLineBreakMode lineBreakMode;
@end
NS_SWIFT_UI_ACTOR
@interface UIImageView : UIView
- (instancetype)initWithImage:(nullable UIImage *)image;
@end
typedef NS_ENUM(NSInteger, UILayoutConstraintAxis) { UILayoutConstraintAxisHorizontal = 0, UILayoutConstraintAxisVertical = 1 } NS_SWIFT_NAME(NSLayoutConstraint.Axis);
typedef NS_ENUM(NSInteger, UIStackViewAlignment) { UIStackViewAlignmentFill, UIStackViewAlignmentCenter = 3 } NS_SWIFT_NAME(UIStackView.Alignment);
NS_SWIFT_UI_ACTOR
@interface UIStackView : UIView
- (instancetype)initWithArrangedSubviews:(NSArray<__kindof UIView *> *)views;
@property (nonatomic) UILayoutConstraintAxis axis;
@property (nonatomic) UIStackViewAlignment alignment;
@property (nonatomic) CGFloat spacing;
@end
NS_SWIFT_UI_ACTOR
@interface UIScrollView : UIView
@property (nonatomic, readonly, strong) UILayoutGuide *contentLayoutGuide;
@property (nonatomic, readonly, strong) UILayoutGuide *frameLayoutGuide;
@end

// .../uikit/uicontrol, .../uikit/uibutton, .../uikit/uitextfield.
typedef NS_OPTIONS(NSUInteger, UIControlEvents) {
    UIControlEventEditingDidBegin = 1 << 16, UIControlEventEditingChanged = 1 << 17, UIControlEventEditingDidEnd = 1 << 18,
    UIControlEventEditingDidEndOnExit = 1 << 19, UIControlEventAllEditingEvents = 0x000F0000,
} NS_SWIFT_NAME(UIControl.Event);
typedef NS_OPTIONS(NSUInteger, UIControlState) { UIControlStateHighlighted = 1 << 0 } NS_SWIFT_NAME(UIControl.State);
NS_SWIFT_UI_ACTOR
@interface UIControl : UIView
- (void)addAction:(UIAction *)action forControlEvents:(UIControlEvents)controlEvents NS_SWIFT_NAME(addAction(_:for:));
- (void)removeActionForIdentifier:(UIActionIdentifier)identifier
                 forControlEvents:(UIControlEvents)controlEvents NS_SWIFT_NAME(removeAction(identifiedBy:for:));
@end
typedef NS_ENUM(NSInteger, UIButtonType) { UIButtonTypeCustom = 0, UIButtonTypeSystem } NS_SWIFT_NAME(UIButton.ButtonType);
NS_SWIFT_UI_ACTOR
@interface UIButton : UIControl
+ (instancetype)buttonWithType:(UIButtonType)buttonType primaryAction:(nullable UIAction *)primaryAction;
@property (nullable, nonatomic, readonly, strong) UILabel *titleLabel;
- (void)setTitle:(nullable NSString *)title forState:(UIControlState)state;
@end
typedef NSString *UITextContentType NS_TYPED_ENUM;
UIKIT_EXTERN UITextContentType const UITextContentTypePassword NS_SWIFT_NONISOLATED;
UIKIT_EXTERN UITextContentType const UITextContentTypeNewPassword NS_SWIFT_NONISOLATED;
UIKIT_EXTERN UITextContentType const UITextContentTypeOneTimeCode NS_SWIFT_NONISOLATED;
typedef NS_ENUM(NSInteger, UITextAutocapitalizationType) { UITextAutocapitalizationTypeNone, UITextAutocapitalizationTypeWords };
typedef NS_ENUM(NSInteger, UITextAutocorrectionType) { UITextAutocorrectionTypeDefault, UITextAutocorrectionTypeNo, UITextAutocorrectionTypeYes };
typedef NS_ENUM(NSInteger, UITextSpellCheckingType) { UITextSpellCheckingTypeDefault, UITextSpellCheckingTypeNo, UITextSpellCheckingTypeYes };
typedef NS_ENUM(NSInteger, UITextSmartQuotesType) { UITextSmartQuotesTypeDefault, UITextSmartQuotesTypeNo, UITextSmartQuotesTypeYes };
typedef NS_ENUM(NSInteger, UITextSmartDashesType) { UITextSmartDashesTypeDefault, UITextSmartDashesTypeNo, UITextSmartDashesTypeYes };
typedef NS_ENUM(NSInteger, UITextSmartInsertDeleteType) { UITextSmartInsertDeleteTypeDefault, UITextSmartInsertDeleteTypeNo, UITextSmartInsertDeleteTypeYes };
typedef NS_ENUM(NSInteger, UITextInlinePredictionType) {
    UITextInlinePredictionTypeDefault, UITextInlinePredictionTypeNo, UITextInlinePredictionTypeYes,
} API_AVAILABLE(ios(17.0)) API_UNAVAILABLE(tvos);
typedef NS_ENUM(NSInteger, UIWritingToolsBehavior) {
    UIWritingToolsBehaviorNone = -1, UIWritingToolsBehaviorDefault = 0, UIWritingToolsBehaviorComplete, UIWritingToolsBehaviorLimited,
} API_AVAILABLE(ios(18.0), visionos(2.4)) API_UNAVAILABLE(tvos, watchos);
NS_SWIFT_UI_ACTOR
@interface UITextInputPasswordRules : NSObject
+ (instancetype)passwordRulesWithDescriptor:(NSString *)passwordRulesDescriptor;
@end
NS_SWIFT_UI_ACTOR
@interface UIDragInteraction : NSObject
@property (nonatomic, getter=isEnabled) BOOL enabled;
@end
NS_SWIFT_UI_ACTOR
@interface UITextField : UIControl <UIContentSizeCategoryAdjusting>
@property (nullable, nonatomic, copy) NSString *text;
@property (nullable, nonatomic, strong) UIColor *textColor;
@property (nullable, nonatomic, strong) UIFont *font;
@property (nonatomic) NSTextAlignment textAlignment;
@property (nullable, nonatomic, copy) NSString *placeholder;
- (CGRect)editingRectForBounds:(CGRect)bounds;
@property (nonatomic) UITextAutocapitalizationType autocapitalizationType;
@property (nonatomic) UITextAutocorrectionType autocorrectionType;
@property (nonatomic) UITextSpellCheckingType spellCheckingType;
@property (nonatomic) UITextSmartQuotesType smartQuotesType;
@property (nonatomic) UITextSmartDashesType smartDashesType;
@property (nonatomic) UITextSmartInsertDeleteType smartInsertDeleteType;
@property (nonatomic) UITextInlinePredictionType inlinePredictionType API_AVAILABLE(ios(17.0)) API_UNAVAILABLE(tvos);
@property (nonatomic) UIWritingToolsBehavior writingToolsBehavior API_AVAILABLE(ios(18.0), visionos(2.4)) API_UNAVAILABLE(tvos, watchos);
@property (nonatomic, getter=isSecureTextEntry) BOOL secureTextEntry;
@property (null_unspecified, nonatomic, copy) UITextContentType textContentType;
@property (nullable, nonatomic, copy) UITextInputPasswordRules *passwordRules;
@property (nonatomic, readonly, nullable) UIDragInteraction *textDragInteraction API_UNAVAILABLE(tvos, watchos);
@end
NS_SWIFT_UI_ACTOR
@interface UITextView : UIScrollView <UIContentSizeCategoryAdjusting>
@end
UIKIT_EXTERN NSNotificationName const UITextFieldTextDidChangeNotification NS_SWIFT_NAME(UITextField.textDidChangeNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UITextViewTextDidChangeNotification NS_SWIFT_NAME(UITextView.textDidChangeNotification) NS_SWIFT_NONISOLATED;

// .../uikit/uiviewcontroller: @MainActor class.
typedef NS_ENUM(NSInteger, UIModalPresentationStyle) { UIModalPresentationFullScreen = 0, UIModalPresentationPageSheet };
typedef NS_ENUM(NSInteger, UIStatusBarStyle) { UIStatusBarStyleDefault = 0 } STANDIN_NOT_TV STANDIN_NOT_VISION;
typedef NS_OPTIONS(NSUInteger, UIInterfaceOrientationMask) { UIInterfaceOrientationMaskAll = 30 } STANDIN_NOT_TV STANDIN_NOT_VISION;
NS_SWIFT_UI_ACTOR
@interface UIViewController : UIResponder <NSCoding, UITraitEnvironment>
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil bundle:(nullable NSBundle *)nibBundleOrNil NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property (null_resettable, nonatomic, strong) UIView *view;
@property (nullable, nonatomic, readonly, strong) UIView *viewIfLoaded;
- (void)viewDidLoad;
- (void)viewDidAppear:(BOOL)animated;
- (void)viewWillDisappear:(BOOL)animated;
- (void)viewDidDisappear:(BOOL)animated;
@property (nullable, nonatomic, weak, readonly) UIViewController *parentViewController NS_SWIFT_NAME(parent);
@property (nonatomic, readonly) NSArray<__kindof UIViewController *> *childViewControllers NS_SWIFT_NAME(children);
- (void)addChildViewController:(UIViewController *)childController NS_SWIFT_NAME(addChild(_:));
- (void)didMoveToParentViewController:(nullable UIViewController *)parent NS_SWIFT_NAME(didMove(toParent:));
@property (nullable, nonatomic, readonly) UIViewController *presentedViewController NS_SWIFT_NAME(presentedViewController);
@property (nonatomic) UIModalPresentationStyle modalPresentationStyle;
@property (nonatomic, readonly, getter=isBeingDismissed) BOOL beingDismissed;
@property (nonatomic, readonly, getter=isMovingFromParentViewController) BOOL movingFromParentViewController NS_SWIFT_NAME(isMovingFromParent);
@property (nonatomic, readonly) UIStatusBarStyle preferredStatusBarStyle STANDIN_NOT_TV STANDIN_NOT_VISION;
@property (nonatomic, readonly) BOOL prefersStatusBarHidden STANDIN_NOT_TV STANDIN_NOT_VISION;
@property (nonatomic, readonly) BOOL prefersHomeIndicatorAutoHidden STANDIN_NOT_TV;
@property (nonatomic, readonly) UIInterfaceOrientationMask supportedInterfaceOrientations STANDIN_NOT_TV STANDIN_NOT_VISION;
@property (nullable, nonatomic, readonly) UIViewController *childViewControllerForStatusBarStyle NS_SWIFT_NAME(childForStatusBarStyle) STANDIN_NOT_TV STANDIN_NOT_VISION;
@property (nullable, nonatomic, readonly) UIViewController *childViewControllerForStatusBarHidden NS_SWIFT_NAME(childForStatusBarHidden) STANDIN_NOT_TV STANDIN_NOT_VISION;
@property (nullable, nonatomic, readonly) UIViewController *childViewControllerForHomeIndicatorAutoHidden NS_SWIFT_NAME(childForHomeIndicatorAutoHidden) STANDIN_NOT_TV;
@end
NS_SWIFT_UI_ACTOR
@interface UINavigationController : UIViewController
@property (nullable, nonatomic, readonly, strong) UIViewController *topViewController;
@end
NS_SWIFT_UI_ACTOR
@interface UITabBarController : UIViewController
@end

// .../uikit/uiscreen: not on visionOS. `main` is deprecated in iOS 26.
NS_SWIFT_UI_ACTOR STANDIN_NOT_VISION
@interface UIScreen : NSObject
@property (class, nonatomic, readonly) UIScreen *mainScreen __attribute__((availability(ios, introduced = 2.0, deprecated = 26.0, message = "Use a UIScreen instance found through context instead (i.e, view.window.windowScene.screen)")));
@property (nonatomic, readonly) CGRect bounds;
@property (nonatomic, readonly, getter=isCaptured) BOOL captured;
@end
UIKIT_EXTERN NSNotificationName const UIScreenCapturedDidChangeNotification NS_SWIFT_NAME(UIScreen.capturedDidChangeNotification) NS_SWIFT_NONISOLATED STANDIN_NOT_VISION;

// .../uikit/uiscene, .../uikit/uiwindowscene, .../uikit/uiscenesession: @MainActor classes.
typedef NS_ENUM(NSInteger, UISceneActivationState) {
    UISceneActivationStateUnattached = -1, UISceneActivationStateForegroundActive, UISceneActivationStateForegroundInactive,
    UISceneActivationStateBackground,
} NS_SWIFT_NAME(UIScene.ActivationState);
typedef NSString *UISceneSessionRole NS_TYPED_ENUM NS_SWIFT_NAME(UISceneSession.Role);
NS_SWIFT_UI_ACTOR
@interface UISceneSession : NSObject
@property (nonatomic, readonly) NSString *persistentIdentifier;
@property (nonatomic, readonly) UISceneSessionRole role;
@end
NS_SWIFT_UI_ACTOR
@interface UIScene : UIResponder
@property (nonatomic, readonly) UISceneSession *session;
@property (nonatomic, readonly) UISceneActivationState activationState;
@end
UIKIT_EXTERN NSNotificationName const UISceneWillConnectNotification NS_SWIFT_NAME(UIScene.willConnectNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UISceneDidDisconnectNotification NS_SWIFT_NAME(UIScene.didDisconnectNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UISceneDidActivateNotification NS_SWIFT_NAME(UIScene.didActivateNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UISceneWillDeactivateNotification NS_SWIFT_NAME(UIScene.willDeactivateNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UISceneWillEnterForegroundNotification NS_SWIFT_NAME(UIScene.willEnterForegroundNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UISceneDidEnterBackgroundNotification NS_SWIFT_NAME(UIScene.didEnterBackgroundNotification) NS_SWIFT_NONISOLATED;
NS_SWIFT_UI_ACTOR
@interface UIWindowScene : UIScene <UITraitEnvironment>
@property (nonatomic, readonly) NSArray<UIWindow *> *windows;
@property (nonatomic, readonly) UIScreen *screen STANDIN_NOT_VISION;
@end

// .../uikit/uiwindow: @MainActor class.
typedef CGFloat UIWindowLevel NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UIWindow.Level);
NS_SWIFT_UI_ACTOR
@interface UIWindow : UIView
- (instancetype)initWithWindowScene:(UIWindowScene *)windowScene NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithFrame:(CGRect)frame NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property (nullable, nonatomic, weak) UIWindowScene *windowScene;
@property (nonatomic) UIWindowLevel windowLevel;
@property (nonatomic, readonly, getter=isKeyWindow) BOOL keyWindow;
- (void)makeKeyWindow NS_SWIFT_NAME(makeKey());
- (void)makeKeyAndVisible;
@property (nullable, nonatomic, strong) UIViewController *rootViewController;
@end
UIKIT_EXTERN NSNotificationName const UIWindowDidBecomeVisibleNotification NS_SWIFT_NAME(UIWindow.didBecomeVisibleNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIWindowDidBecomeHiddenNotification NS_SWIFT_NAME(UIWindow.didBecomeHiddenNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIWindowDidBecomeKeyNotification NS_SWIFT_NAME(UIWindow.didBecomeKeyNotification) NS_SWIFT_NONISOLATED;

// .../uikit/uiapplication: @MainActor class; .../uikit/uiapplication/extensionpointidentifier: struct, Sendable.
typedef NSString *UIApplicationExtensionPointIdentifier NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.ExtensionPointIdentifier);
UIKIT_EXTERN UIApplicationExtensionPointIdentifier const UIApplicationKeyboardExtensionPointIdentifier NS_SWIFT_NAME(UIApplicationExtensionPointIdentifier.keyboard);
@class UIApplication;
NS_SWIFT_UI_ACTOR
@protocol UIApplicationDelegate <NSObject>
@optional
@property (nullable, nonatomic, strong) UIWindow *window;
- (BOOL)application:(UIApplication *)application shouldAllowExtensionPointIdentifier:(UIApplicationExtensionPointIdentifier)extensionPointIdentifier;
@end
NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder
@property (class, nonatomic, readonly) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property (nullable, nonatomic, assign) id<UIApplicationDelegate> delegate;
@property (nonatomic, readonly) NSSet<UIScene *> *connectedScenes;
@property (nonatomic, readonly, getter=isProtectedDataAvailable) BOOL protectedDataAvailable;
@end
UIKIT_EXTERN NSNotificationName const UIApplicationDidFinishLaunchingNotification NS_SWIFT_NAME(UIApplication.didFinishLaunchingNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIApplicationDidEnterBackgroundNotification NS_SWIFT_NAME(UIApplication.didEnterBackgroundNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIApplicationWillEnterForegroundNotification NS_SWIFT_NAME(UIApplication.willEnterForegroundNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIApplicationDidBecomeActiveNotification NS_SWIFT_NAME(UIApplication.didBecomeActiveNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIApplicationWillResignActiveNotification NS_SWIFT_NAME(UIApplication.willResignActiveNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIApplicationProtectedDataWillBecomeUnavailable NS_SWIFT_NAME(UIApplication.protectedDataWillBecomeUnavailableNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIApplicationProtectedDataDidBecomeAvailable NS_SWIFT_NAME(UIApplication.protectedDataDidBecomeAvailableNotification) NS_SWIFT_NONISOLATED;
UIKIT_EXTERN NSNotificationName const UIApplicationUserDidTakeScreenshotNotification NS_SWIFT_NAME(UIApplication.userDidTakeScreenshotNotification) NS_SWIFT_NONISOLATED;

// .../uikit/uipasteboard: nonisolated class; not on tvOS and watchOS.
typedef NSString *UIPasteboardOption NS_TYPED_ENUM NS_SWIFT_NAME(UIPasteboard.OptionsKey);
STANDIN_NOT_TV
@interface UIPasteboard : NSObject
@property (class, nonatomic, readonly) UIPasteboard *generalPasteboard NS_SWIFT_NAME(general);
- (void)setItems:(NSArray<NSDictionary<NSString *, id> *> *)items options:(NSDictionary<UIPasteboardOption, id> *)options;
@end
UIKIT_EXTERN UIPasteboardOption const UIPasteboardOptionExpirationDate STANDIN_NOT_TV;
UIKIT_EXTERN UIPasteboardOption const UIPasteboardOptionLocalOnly STANDIN_NOT_TV;
#pragma clang assume_nonnull end
#endif
