@implementation Copy
- (void)copyPassword {
    [UIPasteboard generalPasteboard].string = self.password;  // finds
}

- (void)copyRow:(NSString *)name {
    UIPasteboard *board = [UIPasteboard generalPasteboard];
    [board setString:name];
    board.string = [self secretFor:name];  // finds
}

- (NSString *)secretFor:(NSString *)name { return [self.keychain passwordForAccount:name] ?: self.password; }
@end
