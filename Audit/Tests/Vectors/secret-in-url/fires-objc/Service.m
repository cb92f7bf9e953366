#import "Service.h"

@implementation Service

- (void)openWithPassword:(NSString *)password {
    NSString *text = [NSString stringWithFormat:@"%@/login?password=%@", self.baseURL, password];  // finds
    [self load:text];
}

- (void)listWithAccessToken:(NSString *)accessToken {
    [self.manager GET:@"list" parameters:@{@"access_token": accessToken} progress:nil success:nil failure:nil];  // finds
}

@end
