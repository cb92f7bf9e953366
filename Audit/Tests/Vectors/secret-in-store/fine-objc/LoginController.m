#import "LoginController.h"

@interface LoginController ()
@property (weak, nonatomic) IBOutlet UITextField *passwordField;
@property (weak, nonatomic) IBOutlet UITextField *nameField;
@end

@implementation LoginController
- (IBAction)logIn:(id)sender {
    NSUserDefaults *defaults = [NSUserDefaults standardUserDefaults];
    [defaults setObject:self.nameField.text forKey:@"name"];
    [defaults setBool:(self.passwordField.text.length > 0) forKey:@"hasPassword"];
    [defaults setObject:@"" forKey:@"password"];
    [self.keychain setObject:self.passwordField.text forKey:@"password"];
    [self remember:self.nameField.text];
    // [defaults setObject:self.passwordField.text forKey:@"password"];
}

- (void)remember:(NSString *)text {
    [text writeToFile:[self path] atomically:YES encoding:NSUTF8StringEncoding error:nil];
}
@end
