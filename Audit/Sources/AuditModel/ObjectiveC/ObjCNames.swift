// SPDX-License-Identifier: Apache-2.0

/// What Swift calls the things of Objective-C that rules know.
enum ObjCNames {
    /// Words in front of a type that are no type.
    static let qualifiers: Set<String> = [
        "const", "static", "extern", "__block", "__weak", "__strong", "__unused", "__unsafe_unretained", "__bridge",
        "__bridge_transfer", "__bridge_retained", "_Nullable", "_Nonnull", "nullable", "nonnull", "__kindof",
        "IBOutlet", "IBInspectable", "volatile", "inline", "struct", "enum", "register", "__autoreleasing",
        "_Nonnull", "FOUNDATION_EXPORT", "strong", "weak", "oneway", "out", "inout", "in",
    ]

    private static let numbers: Set<String> = [
        "NSInteger", "NSUInteger", "int", "long", "short", "unsigned", "signed", "float", "double", "CGFloat",
        "NSTimeInterval", "size_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t",
        "time_t", "off_t", "OSStatus", "sqlite3_int64",
    ]

    private static let types: [String: String] = [
        "NSString": "String", "NSMutableString": "String", "BOOL": "Bool", "bool": "Bool", "Boolean": "Bool",
        "void": "Void", "id": "Any", "NSData": "Data", "NSMutableData": "Data", "NSDate": "Date", "NSURL": "URL",
        "NSArray": "Array", "NSMutableArray": "Array", "NSDictionary": "Dictionary",
        "NSMutableDictionary": "Dictionary", "NSUserDefaults": "UserDefaults", "NSFileManager": "FileManager",
        "NSFileHandle": "FileHandle", "NSHTTPCookie": "HTTPCookie", "NSHTTPCookieStorage": "HTTPCookieStorage",
        "NSNotificationCenter": "NotificationCenter", "NSNotification": "Notification", "NSBundle": "Bundle",
        "NSURLSession": "URLSession", "NSURLRequest": "URLRequest", "NSMutableURLRequest": "URLRequest",
        "NSURLResponse": "URLResponse", "NSHTTPURLResponse": "HTTPURLResponse", "NSURLQueryItem": "URLQueryItem",
        "NSURLComponents": "URLComponents", "NSURLCache": "URLCache", "NSJSONSerialization": "JSONSerialization",
        "NSUUID": "UUID", "NSTimer": "Timer", "NSThread": "Thread", "NSCalendar": "Calendar", "NSLocale": "Locale",
        "RLMRealm": "Realm", "RLMRealmConfiguration": "Realm.Configuration",
    ]

    static func type(_ name: String) -> String { numbers.contains(name) ? "Int" : types[name] ?? name }

    /// Members of classes that Swift calls otherwise.
    static let members: [String: String] = [
        "standardUserDefaults": "standard", "generalPasteboard": "general", "defaultManager": "default",
        "sharedHTTPCookieStorage": "shared", "defaultCenter": "default", "sharedApplication": "shared",
        "sharedURLCache": "shared", "sharedSession": "shared", "mainBundle": "main", "defaultStore": "default",
        "secureTextEntry": "isSecureTextEntry", "hidden": "isHidden", "defaultRealm": "default",
    ]

    /// Constants that are members of a type in Swift.
    static let constants: [String: String] = [
        "NSHTTPCookieName": "name", "NSHTTPCookieValue": "value", "NSHTTPCookieExpires": "expires",
        "NSHTTPCookieMaximumAge": "maximumAge", "NSHTTPCookieDomain": "domain", "NSHTTPCookiePath": "path",
        "UITextAutocorrectionTypeNo": "no", "NSDataWritingFileProtectionComplete": "completeFileProtection",
        "NSDataWritingFileProtectionCompleteUnlessOpen": "completeFileProtectionUnlessOpen",
        "NSDataWritingAtomic": "atomic", "NSFileProtectionKey": "protectionKey",
        "UIApplicationWillResignActiveNotification": "willResignActiveNotification",
        "UIApplicationDidEnterBackgroundNotification": "didEnterBackgroundNotification",
        "UISceneWillDeactivateNotification": "willDeactivateNotification",
    ]

    /// Selectors whose first part Swift cuts in two: the name, and the label of the first argument.
    static let selectors: [String: (name: String, label: String?)] = [
        "writeToFile": ("write", "toFile"), "writeToURL": ("write", "to"), "createFileAtPath": ("createFile", "atPath"),
        "insertNewObjectForEntityForName": ("insertNewObject", "forEntityName"),
        "presentViewController": ("present", nil), "dismissViewControllerAnimated": ("dismiss", "animated"),
        "prepareForSegue": ("prepare", "for"), "removeItemAtPath": ("removeItem", "atPath"),
        "removeItemAtURL": ("removeItem", "at"), "archivedDataWithRootObject": ("archivedDataWithRootObject", nil),
        "dataWithJSONObject": ("data", "withJSONObject"), "JSONObjectWithData": ("jsonObject", "with"),
        "dataUsingEncoding": ("data", "using"),
        "stringByAppendingString": ("appending", nil), "stringByAppendingFormat": ("appending", nil),
        "stringByAppendingPathComponent": ("appendingPathComponent", nil),
        "stringByReplacingOccurrencesOfString": ("replacingOccurrences", "of"),
        "stringByTrimmingCharactersInSet": ("trimmingCharacters", "in"),
        "componentsJoinedByString": ("joined", "separator"),
        "componentsSeparatedByString": ("components", "separatedBy"),
        "base64EncodedStringWithOptions": ("base64EncodedString", "options"),
        "addUserInfoEntriesFromDictionary": ("addUserInfoEntries", "from"),
        "stringByAddingPercentEncodingWithAllowedCharacters": ("addingPercentEncoding", "withAllowedCharacters"),
        "evaluateJavaScript": ("evaluateJavaScript", nil),
        "addTextFieldWithConfigurationHandler": ("addTextField", nil),
    ]

    /// Class methods that make a value of the class.
    static let makers: Set<String> = ["with", "from", "by"]

    /// `password` of the instance variable `_password`.
    static func plain(_ name: String) -> String {
        guard name.hasPrefix("_"), let second = name.utf8.dropFirst().first, (0x61...0x7A).contains(second) else {
            return name
        }
        return String(name.dropFirst())
    }

    /// First words of messages without arguments that do something rather than tell a property.
    static let verbs: Set<String> = [
        "get", "load", "fetch", "read", "create", "make", "generate", "build", "compute", "retrieve", "obtain", "new",
        "decrypt", "encrypt", "show", "present", "clear", "reset", "save", "remove", "perform", "handle", "setup",
        "update", "hide", "blur", "lock", "cover", "resume", "synchronize", "begin", "end", "start", "stop", "setup",
    ]
}
