#import "Crypto.h"

@implementation LoginController

- (void)signIn {
    NSString *text = [Digest md5:self.passwordField.text];  // finds
    [self send:text];
}

- (void)signInWithPin:(NSString *)pin {
    [self send:[pin sha1]];  // finds
}

@end

@implementation NSString (Twist)

- (NSString *)twisted {
    unsigned char out[16];
    CC_MD5(self.UTF8String, (CC_LONG)self.length, out);
    return hex(out);
}

@end

@implementation Register

- (void)registerWithPassword:(NSString *)password {
    [self send:[password twisted]];  // finds
}

- (NSData *)zeros:(NSData *)data key:(NSString *)key {
    char iv[16];
    bzero(iv, sizeof(iv));
    CCCryptorStatus status = CCCrypt(kCCEncrypt, kCCAlgorithmAES128, kCCOptionPKCS7Padding, key.UTF8String, 16, iv, data.bytes, data.length, out, size, &moved);  // finds
    return status == kCCSuccess ? result : nil;
}

@end

@implementation Sealer

- (NSData *)seal:(NSData *)data key:(NSString *)key {
    size_t moved = 0;
    CCCryptorStatus status = CCCrypt(kCCEncrypt, kCCAlgorithmAES128, kCCOptionPKCS7Padding | kCCOptionECBMode, key.UTF8String, 16, NULL, data.bytes, data.length, out, size, &moved);  // finds
    return status == kCCSuccess ? result : nil;
}

- (NSData *)chain:(NSData *)data key:(NSString *)key {
    size_t moved = 0;
    CCCryptorStatus status = CCCrypt(kCCEncrypt, kCCAlgorithmAES128, kCCOptionPKCS7Padding, key.UTF8String, 16, NULL, data.bytes, data.length, out, size, &moved);  // finds
    return status == kCCSuccess ? result : nil;
}

- (NSData *)old:(NSData *)data key:(NSString *)key iv:(NSData *)iv {
    size_t moved = 0;
    CCCryptorStatus status = CCCrypt(kCCEncrypt, kCCAlgorithmDES, kCCOptionPKCS7Padding, key.UTF8String, 8, iv.bytes, data.bytes, data.length, out, size, &moved);  // finds
    return status == kCCSuccess ? result : nil;
}

@end
