@implementation AppDelegate
- (void)applicationWillResignActive:(UIApplication *)application {  // finds
    [self.timer invalidate];
}
@end
