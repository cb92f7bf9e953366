@implementation Session
- (void)logInWithName:(NSString *)name password:(NSString *)password {
    NSLog(@"%@ logs in with %@", name, password);  // finds
    NSString *line = [NSString stringWithFormat:@"body: %@", [self bodyWith:password]];
    DDLogDebug(@"%@", line);  // finds
    dispatch_async(dispatch_get_main_queue(), ^{
        [self note:self.accessToken];
    });
}

- (NSString *)bodyWith:(NSString *)text {
    return [text stringByAppendingString:@"&grant=1"];
}

- (void)note:(NSString *)text {
    NSLog(@"%@", text);  // finds
}
@end
