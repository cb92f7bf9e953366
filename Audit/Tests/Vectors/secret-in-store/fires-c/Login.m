@implementation Login
- (void)keep:(NSString *)password named:(NSString *)name {
    NSUserDefaults *defaults = [NSUserDefaults standardUserDefaults];
    [defaults setObject:[password copy] forKey:@"a"];  // finds
    [defaults setObject:@(password.UTF8String) forKey:@"b"];  // finds
    NSString *again __attribute__((unused)) = password;
    [defaults setObject:again forKey:@"c"];  // finds
    if (name) goto later;
later: [defaults setObject:password forKey:@"d"];  // finds
    [defaults setObject:[name copy] forKey:@"e"];
}
@end
