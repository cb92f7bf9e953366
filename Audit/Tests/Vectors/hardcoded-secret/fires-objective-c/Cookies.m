static NSString *const CookieUser = @"admin123";
static NSString *const CookiePassword = @"dv-hunter2"; // finds
#if DEBUG
static NSString *const AdminPassword = @"letmein99";
#endif
// static NSString *const OldPassword = @"hunter22";

@implementation Check
- (BOOL)validateCode:(NSInteger)code {
    return code == 8848; // finds
}
@end
