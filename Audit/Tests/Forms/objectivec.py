# SPDX-License-Identifier: Apache-2.0
"""Objective-C: (name, rule, statements, methods, declarations). $X is the value."""

PUT = '[[NSUserDefaults standardUserDefaults] setObject:%s forKey:@"k"];'

OBJECTIVE_C = [
    ("alias", "secret-in-store", "NSString *item = $X;\n" + PUT % "item", "", ""),
    ("local store", "secret-in-store", 'NSUserDefaults *u = [NSUserDefaults standardUserDefaults];\n[u setObject:$X forKey:@"k"];\n[u synchronize];', "", ""),
    ("setValue", "secret-in-store", '[NSUserDefaults.standardUserDefaults setValue:$X forKey:@"k"];', "", ""),
    ("group", "secret-in-store", 'NSUserDefaults *u = [[NSUserDefaults alloc] initWithSuiteName:@"group.v"];\n[u setObject:$X forKey:@"k"];', "", ""),
    ("format", "secret-in-log", 'NSString *line = [NSString stringWithFormat:@"v=%@", $X];\nNSLog(@"%@", line);', "", ""),
    ("log", "secret-in-log", 'NSLog(@"got %@", $X);', "", ""),
    ("appended", "secret-in-log", 'NSMutableString *line = [NSMutableString string];\n[line appendFormat:@"v=%@", $X];\nNSLog(@"%@", line);', "", ""),
    ("added string", "secret-in-log", 'NSString *line = [@"v=" stringByAppendingString:$X];\nNSLog(@"%@", line);', "", ""),
    ("dictionary literal", "secret-in-log", 'NSDictionary *bag = @{@"v": $X};\nNSLog(@"%@", bag);', "", ""),
    ("dictionary by key", "secret-in-store", 'NSMutableDictionary *bag = [NSMutableDictionary new];\nbag[@"v"] = $X;\n' + PUT % "bag", "", ""),
    ("dictionary with objects", "secret-in-log", 'NSDictionary *bag = [NSDictionary dictionaryWithObjectsAndKeys:$X, @"v", nil];\nNSLog(@"%@", bag);', "", ""),
    ("array", "secret-in-store", 'NSArray *list = @[$X, @"v"];\n' + PUT % "list", "", ""),
    ("method", "secret-in-store", "[self keep:$X];", '- (void)keep:(NSString *)item { ' + PUT % "item" + ' }', ""),
    ("two methods", "secret-in-store", "[self keep:$X];", '- (void)keep:(NSString *)item { [self put:item under:@"k"]; }\n- (void)put:(id)item under:(NSString *)key { [[NSUserDefaults standardUserDefaults] setObject:item forKey:key]; }', ""),
    ("class method", "secret-in-store", "[Prefs put:$X];", "", '@implementation Prefs\n+ (void)put:(NSString *)item { ' + PUT % "item" + ' }\n@end'),
    ("category", "secret-in-store", "[[NSUserDefaults standardUserDefaults] keep:$X];", "", '@implementation NSUserDefaults (Keep)\n- (void)keep:(NSString *)item { [self setObject:item forKey:@"k"]; }\n@end'),
    ("property", "secret-in-log", "self.held = $X;\n[self flush];", '- (void)flush { NSLog(@"%@", self.held); }', "@interface Maker ()\n@property (copy) NSString *held;\n@end"),
    ("instance variable", "secret-in-log", "_held = $X;\n[self flush];", '- (void)flush { NSLog(@"%@", _held); }', "@interface Maker () { NSString *_held; }\n@end"),
    ("block", "secret-in-log", "NSString *item = $X;\ndispatch_async(dispatch_get_main_queue(), ^{ NSLog(@\"%@\", item); });", "", ""),
    ("block with a parameter", "secret-in-log", "void (^put)(NSString *) = ^(NSString *item) { NSLog(@\"%@\", item); };\nput($X);", "", ""),
    ("completion", "secret-in-log", "[self load:$X done:^(NSString *item) { NSLog(@\"%@\", item); }];", "- (void)load:(NSString *)item done:(void (^)(NSString *))done { done(item); }", ""),
    ("bytes", "secret-in-store", 'NSData *bytes = [$X dataUsingEncoding:NSUTF8StringEncoding];\n[bytes writeToFile:@"/v" atomically:YES];', "", ""),
    ("text's file", "secret-in-store", '[$X writeToFile:@"/v" atomically:YES encoding:NSUTF8StringEncoding error:nil];', "", ""),
    ("property list", "secret-in-store", 'NSDictionary *bag = @{@"v": $X};\n[bag writeToFile:@"/v.plist" atomically:YES];', "", ""),
    ("archive", "secret-in-store", '[NSKeyedArchiver archiveRootObject:$X toFile:@"/v"];', "", ""),
    ("chosen", "secret-in-log", 'NSString *item = self.ready ? $X : @"";\nNSLog(@"%@", item);', "", ""),
    ("property in upper case", "secret-in-log", 'self.Held = $X;\nNSLog(@"%@", self.Held);', "", "@interface Maker ()\n@property (copy) NSString *Held;\n@end"),
    ("macro", "secret-in-log", 'DLog(@"got %@", $X);', "", '#define DLog(fmt, ...) NSLog((@"%s " fmt), __func__, ##__VA_ARGS__)'),
    ("own class for logs", "secret-in-log", '[Trace put:[NSString stringWithFormat:@"got %@", $X]];', "", '@implementation Trace\n+ (void)put:(NSString *)line { NSLog(@"%@", line); }\n@end'),
    ("key-value coding", "secret-in-store", '[self.row setValue:$X forKey:@"v"];', "", '#import <CoreData/CoreData.h>\n@interface Maker ()\n@property NSManagedObject *row;\n@end'),
    ("trimmed", "secret-in-log", 'NSString *item = [$X stringByTrimmingCharactersInSet:[NSCharacterSet whitespaceCharacterSet]];\nNSLog(@"%@", item);', "", ""),
]
