@interface Login : UIViewController
@property (weak, nonatomic) IBOutlet UITextField *passwordField;  // finds
@end
