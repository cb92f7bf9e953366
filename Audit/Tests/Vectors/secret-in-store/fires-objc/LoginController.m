#import "LoginController.h"

static NSString *const PasswordKey = @"password";

@implementation LoginController
- (IBAction)logIn:(id)sender {
    NSUserDefaults *defaults = [NSUserDefaults standardUserDefaults];
    [defaults setObject:self.passwordField.text forKey:PasswordKey];  // finds
    [self remember:_passwordField.text];
}

- (void)remember:(NSString *)text {
    NSMutableDictionary *list = [[NSMutableDictionary alloc] init];
    [list setValue:text forKey:@"text"];
    [list writeToFile:[self path] atomically:YES];  // finds
}

- (NSString *)path { return [NSHomeDirectory() stringByAppendingPathComponent:@"a.plist"]; }

- (void)save {
    User *user = [NSEntityDescription insertNewObjectForEntityForName:@"User" inManagedObjectContext:self.context];
    user.secret = self.passwordField.text;  // finds
    NSDictionary *properties = @{ NSHTTPCookieName : @"session", NSHTTPCookieValue : self.passwordField.text,
                                  NSHTTPCookieExpires : [NSDate distantFuture] };
    NSHTTPCookie *cookie = [[NSHTTPCookie alloc] initWithProperties:properties];  // finds
    [[NSHTTPCookieStorage sharedHTTPCookieStorage] setCookie:cookie];  // finds
}
@end
