@implementation AppDelegate
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)options {
    [[NSNotificationCenter defaultCenter] addObserver:self selector:@selector(hide:) name:UIApplicationWillResignActiveNotification object:nil];
    return YES;
}

- (void)hide:(NSNotification *)note {
    [self cover];
}

- (void)cover {
    [self.window addSubview:self.curtain];
}
@end
