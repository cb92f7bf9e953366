@implementation Login
- (void)viewDidDisappear:(BOOL)animated {
    [super viewDidDisappear:animated];
    [self.nameField setText:@""];
}

- (IBAction)logIn:(id)sender {
    if (![self check:self.passwordField.text]) { self.passwordField.text = @""; }
}
@end
