#import <Security/Security.h>

@implementation Store
- (void)keep:(NSDictionary *)item {
    SecItemAdd((__bridge CFDictionaryRef)item, NULL); // finds
}
- (BOOL)change:(NSDictionary *)item {
    OSStatus status = SecItemUpdate((__bridge CFDictionaryRef)item, NULL);
    return status == errSecSuccess;
}
- (void)replace:(NSDictionary *)item {
    SecItemDelete((__bridge CFDictionaryRef)item);
    if (SecItemAdd((__bridge CFDictionaryRef)item, NULL) != errSecSuccess) { [self fail]; }
}
@end
