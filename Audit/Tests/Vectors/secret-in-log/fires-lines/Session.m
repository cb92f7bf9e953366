@implementation Session
- (void)log:(NSString *)password; {
    // it isn't over: \
    NSLog(@"%@", password);
    NSString *copy = pass\
word;
    NSLog(@"%@", copy);  // finds
}

- (void)note:(NSString *)password {
#if FULL
    if (self.isFull) {
#else
    if (self.isOpen) {
#endif
        NSLog(@"%@", password);  // finds
    }
}

- (void)keep:(NSString *)token {
    NSString *text = @"one \
two";
    NSLog(@"%@ %@", text, self.accessToken);  // finds
}
@end
