@implementation Token
- (instancetype)initWithCoder:(NSCoder *)coder {
    self = [super init];
    _secret = [coder decodeObjectForKey:@"secret"];
    _name = [coder decodeObjectForKey:@"name"];
    return self;
}
+ (Token *)read:(NSData *)data {
    // [NSKeyedUnarchiver unarchiveObjectWithData:data] would be worse
    return [NSKeyedUnarchiver unarchiveObjectWithData:data]; // finds
}
@end
