// SPDX-License-Identifier: Apache-2.0

/// The same in Objective-C.
enum ObjectiveCLeaks {
    private static let sources: [(name: String, secret: String, harmless: String)] = [
        ("a field", "self.passwordField.text", "self.nicknameField.text"),
        ("a property", "self.accessToken", "self.themeName"),
        ("a variable", "_pinCode", "_themeName"),
        ("a dictionary", "json[@\"access_token\"]", "json[@\"display_name\"]"),
        ("a message", "[self.member privateKey]", "[self.member fullName]"),
    ]

    private static let carries: [(name: String, body: String, value: String)] = [
        ("nothing", "", "$E"),
        ("an alias", "NSString *value = $E;", "value"),
        ("an unknown message", "NSString *value = [$E hexadecimalString];", "value"),
        ("an unknown message with arguments", "NSString *value = [$E paddedTo:16 with:@\"0\"];", "value"),
        (
            "trimming",
            "NSString *value = [$E stringByTrimmingCharactersInSet:[NSCharacterSet whitespaceCharacterSet]];", "value"
        ),
        ("a format", "NSString *value = [NSString stringWithFormat:@\"v=%@\", $E];", "value"),
        ("a literal dictionary", "NSDictionary *all = @{@\"v\": $E};", "all"),
        ("a literal array", "NSArray *all = @[@\"a\", $E];", "[all componentsJoinedByString:@\",\"]"),
        (
            "a mutable dictionary",
            "NSMutableDictionary *all = [NSMutableDictionary new];\n    [all setObject:$E forKey:@\"v\"];", "all"
        ),
        ("a subscript", "NSMutableDictionary *all = [NSMutableDictionary new];\n    all[@\"v\"] = $E;", "all"),
        ("a copy", "NSString *value = [$E copy];", "value"),
        ("appending", "NSString *value = [@\"v=\" stringByAppendingString:$E];", "value"),
        ("a choice", "NSString *value = $E ?: @\"\";", "value"),
        ("a block", "void (^work)(NSString *) = ^(NSString *value) {\n        $SINK\n    };\n    work($E);", "value"),
        (
            "a queue",
            "NSString *value = $E;\n    dispatch_async(dispatch_get_main_queue(), ^{\n        $SINK\n    });", "value"
        ),
        ("a method", "NSString *value = [self shaped:$E];", "value"),
        ("a method that takes it", "[self keep:$E];", ""),
        ("a condition", "NSString *value = $E;\n    if (value.length > 0) {\n        $SINK\n    }", "value"),
    ]

    private static let sinks: [(name: String, rule: String, body: String)] = [
        ("NSLog", "secret-in-log", "NSLog(@\"got %@\", $V);"),
        ("UserDefaults", "secret-in-store", "[[NSUserDefaults standardUserDefaults] setObject:$V forKey:@\"v\"];"),
        (
            "a local store", "secret-in-store",
            "NSUserDefaults *u = [NSUserDefaults standardUserDefaults];\n    [u setObject:$V forKey:@\"v\"];"
        ),
        (
            "a suite", "secret-in-store",
            "[[[NSUserDefaults alloc] initWithSuiteName:@\"g\"] setObject:$V forKey:@\"v\"];"
        ),
        ("the pasteboard", "secret-on-pasteboard", "[UIPasteboard generalPasteboard].string = $V;"),
        (
            "a pasteboard's variable", "secret-on-pasteboard",
            "UIPasteboard *p = [UIPasteboard generalPasteboard];\n    [p setString:$V];"
        ),
        ("a file", "secret-in-store", "[$V writeToFile:@\"/v\" atomically:YES];"),
        (
            "Core Data", "secret-in-store",
            "NSManagedObject *row = [NSEntityDescription insertNewObjectForEntityForName:@\"R\" inManagedObjectContext:self.context];\n    [row setValue:$V forKey:@\"content\"];"
        ),
    ]

    static func apps(leaks: Bool) -> [GeneratedApp] {
        carries.enumerated().flatMap { index, carry in
            (0..<3).map { time in
                let source = sources[(index + time) % sources.count]
                return app(source, carry, sinks[(index * 3 + time) % sinks.count], leaks: leaks)
            }
        }
    }

    private static func app(
        _ source: (name: String, secret: String, harmless: String),
        _ carry: (name: String, body: String, value: String),
        _ sink: (name: String, rule: String, body: String), leaks: Bool
    ) -> GeneratedApp {
        let takes = carry.name == "a method that takes it"
        let sent = sink.body.replacing("$V", with: carry.value)
        let body = carry.body.replacing("$SINK", with: sent).replacing(
            "$E", with: leaks ? source.secret : source.harmless)
        let last =
            takes || carry.body.contains("$SINK")
            ? "" : sent.replacing("$E", with: leaks ? source.secret : source.harmless)
        let text = """
            #import <UIKit/UIKit.h>
            #import <CoreData/CoreData.h>

            @interface Screen : UIViewController {
                NSString *_pinCode;
                NSString *_themeName;
            }
            @property (nonatomic, weak) IBOutlet UITextField *passwordField;
            @property (nonatomic, weak) IBOutlet UITextField *nicknameField;
            @property (nonatomic, copy) NSString *accessToken;
            @property (nonatomic, copy) NSString *themeName;
            @property (nonatomic, strong) Member *member;
            @property (nonatomic, strong) NSManagedObjectContext *context;
            @end

            @implementation Screen
            - (NSString *)shaped:(NSString *)text {
                return [NSString stringWithFormat:@"<%@>", text];
            }
            - (void)keep:(NSString *)content {
                \(takes ? sink.body.replacing("$V", with: "content") : "")
            }
            - (void)act:(NSDictionary *)json {
                \(body)
                \(last)
            }
            @end
            """
        return GeneratedApp(
            name: "Objective-C: \(carry.name) of \(source.name) into \(sink.name)", rule: sink.rule,
            files: [("App/Screen.m", text)])
    }
}
