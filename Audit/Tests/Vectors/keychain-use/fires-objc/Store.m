@implementation Store
- (void)keep:(NSData *)data {
    NSDictionary *query = @{ (__bridge id)kSecClass : (__bridge id)kSecClassGenericPassword, (__bridge id)kSecValueData : data };
    SecItemAdd((__bridge CFDictionaryRef)query, NULL);  // finds
}

- (void)keepForever:(NSMutableDictionary *)query {
    query[(__bridge id)kSecAttrAccessible] = (__bridge id)kSecAttrAccessibleAlways;  // finds
    OSStatus status = SecItemUpdate((__bridge CFDictionaryRef)query, (__bridge CFDictionaryRef)query);
    if (status != errSecSuccess) { [self tell:status]; }
}
@end
