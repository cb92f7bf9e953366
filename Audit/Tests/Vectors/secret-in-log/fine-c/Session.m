#import <os/log.h>

@implementation Session
- (void)logInWithName:(NSString *)name password:(NSString *)password file:(FILE *)file {
    os_log(OS_LOG_DEFAULT, "%{public}@ logs in with %@", name, password);
    os_log_error(self.log, "100%% of %{public}@ and %{private}@", name, password);
    printf("%lu characters\n", (unsigned long)password.length);
    fprintf(file, "%s\n", password.UTF8String);
    [self.terminal puts:password];
    __attribute__((unused)) NSString *shown = [name copy];
    NSLog(@"%@", shown);
}
@end
