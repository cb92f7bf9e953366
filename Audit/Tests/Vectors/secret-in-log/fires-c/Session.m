#import <os/log.h>

@implementation Session
- (void)logInWithName:(NSString *)name password:(NSString *)password {
    os_log(OS_LOG_DEFAULT, "%{public}@ logs in with %{public}@", name, password);  // finds
    os_log_error(self.log, "100%% wrong: %{public}@", password);  // finds
    os_log_with_type(self.log, OS_LOG_TYPE_INFO, "%{public}s", password.UTF8String);  // finds
    printf("%s\n", password.UTF8String);  // finds
    fprintf(stderr, "%s\n", [password UTF8String]);  // finds
    puts([password UTF8String]);  // finds
    syslog(LOG_NOTICE, "%s", [password UTF8String]);  // finds
    __attribute__((unused)) NSString *copy = [password copy];
    NSLog(@"%@", copy);  // finds
    if (name) goto again;
again: NSLog(@"%@", @(password.UTF8String));  // finds
}
@end
