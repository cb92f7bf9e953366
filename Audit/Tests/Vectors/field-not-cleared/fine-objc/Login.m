@implementation Login
- (void)viewDidDisappear:(BOOL)animated {
    [super viewDidDisappear:animated];
    [self wipe];
}

- (void)wipe {
    [_passwordField setText:nil];
}
@end
