@interface LoginController : UIViewController
@property (weak, nonatomic) IBOutlet UITextField *passwordField;
@property (strong, nonatomic) NSManagedObjectContext *context;
@end
