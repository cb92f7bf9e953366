#import <mach/mach_time.h>

@implementation Settings
- (void)remember:(NSString *)name {
    [[NSUserDefaults standardUserDefaults] setObject:name forKey:@"name"];  // finds
    uint64_t now = mach_absolute_time();  // finds
    [self note:now];
}
@end
