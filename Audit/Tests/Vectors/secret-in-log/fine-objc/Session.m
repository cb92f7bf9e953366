@interface Account : NSObject
@property (copy) NSString *password;
@end

@implementation Account
@end

@implementation Session
- (void)logInWithName:(NSString *)name password:(NSString *)password account:(Account *)account {
    NSLog(@"%@ logs in, the password has %lu characters", name, (unsigned long)password.length);
    NSLog(@"%@", account);
#if DEBUG
    NSLog(@"%@", password);
#endif
    if (![self.accessToken isEqualToString:name]) {
        NSLog(@"wrong password");
    }
    [self note:name];
}

- (void)note:(NSString *)text {
    NSLog(@"%@", text);
}
@end
