@interface Login : UIViewController
@property (weak, nonatomic) IBOutlet UITextField *passwordField;
@end
