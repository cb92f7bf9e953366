// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

struct SettingsTests {
    private func read(_ files: [String: String], _ name: String) throws -> [SigningSettings] {
        try TemporaryFolder.with { folder in
            for (path, text) in files {
                let file = URL(filePath: folder).appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            return try SigningSettings.read(contentsOf: "\(folder)/\(name)")
        }
    }

    @Test func `a project's settings come from project, target and their .xcconfig files, in this order`() throws {
        let files = [
            "App.xcodeproj/project.pbxproj": ProjectText.text,
            "Config/Release.xcconfig": "DEVELOPMENT_TEAM = FROMFILE01 // yes\n",
        ]
        let settings = try read(files, "App.xcodeproj")
        #expect(settings.map { "\($0.target) \($0.configuration)" } == ["App Debug", "App Release"])
        let debug = try #require(settings.first)
        let release = try #require(settings.last)
        #expect(debug.isAutomatic)
        #expect(debug.identity == "iPhone Developer")
        #expect(release.profileSpecifier == "App Store org.example.app")
        #expect(release.team == "FROMFILE01")
        #expect(release.bundleIdentifier == "org.example.app")
        #expect(release.entitlementsPath == "App/App.entitlements")
        #expect(release.identity == "Apple Distribution")
    }

    @Test func `an .xcconfig file includes others, with conditions and inherited values`() throws {
        let files = [
            "a.xcconfig": """
            #include "sub/b.xcconfig"
            #include? "missing.xcconfig"
            CODE_SIGN_IDENTITY[sdk=iphoneos*] = Apple Distribution
            CODE_SIGN_IDENTITY[sdk=iphonesimulator*] = -
            PRODUCT_BUNDLE_IDENTIFIER = $(PREFIX).app
            OTHER = $(inherited) and $(OTHER2) // comment
            """,
            "sub/b.xcconfig":
                "#include \"../a.xcconfig\"\nPREFIX = org.example\nCODE_SIGN_IDENTITY = iPhone Developer\nOTHER = one\n",
        ]
        let settings = try #require(try read(files, "a.xcconfig").first)
        #expect(settings.identity == "Apple Distribution")
        #expect(settings.bundleIdentifier == "org.example.app")
        // What is defined nowhere is empty, as with Xcode.
        #expect(settings.values["OTHER"] == "one and ")
    }

    @Test func `settings that refer to each other end`() throws {
        let rings = "A = $(B)$(B)\nB = $(C)$(C)\nC = $(A)$(C)\n"
        let wide = (0..<40).map { "V\($0) = " + String(repeating: "$(V\($0 + 1))", count: 30) }.joined(separator: "\n")
        let settings = try #require(try read(["r.xcconfig": rings + wide + "\nV40 = xxxxxxxxxx\n"], "r.xcconfig").first)
        #expect(settings.values.values.allSatisfy { $0.utf8.count <= 10_000 })
    }

    @Test func `what xcodebuild prints in JSON is read`() throws {
        let json = """
            [{"action":"build","target":"App","buildSettings":{"CONFIGURATION":"Release","CODE_SIGN_STYLE":"Manual",
            "PROVISIONING_PROFILE_SPECIFIER":"Store","CODE_SIGN_IDENTITY":""}}]
            """
        let settings = try #require(try read(["s.json": json], "s.json").first)
        #expect(settings.configuration == "Release")
        #expect(settings.profileSpecifier == "Store")
        #expect(settings.identity == nil)
        #expect(!settings.isAutomatic)
    }

    @Test(arguments: [
        ("x.xcodeproj/project.pbxproj", "{ objects = {}; }"), ("x.json", "{}"), ("x.xcconfig", "nonsense"),
    ])
    func `what is no build settings is refused`(name: String, text: String) {
        #expect(profileError { _ = try read([name: text], name) }?.code == .buildSettings)
    }
}

/// A small project with one app and one framework, as Xcode writes them.
enum ProjectText {
    static let text = """
        // !$*UTF8*$!
        {
        	archiveVersion = 1;
        	objects = {
        		F1 /* Release.xcconfig */ = {isa = PBXFileReference; path = Release.xcconfig; sourceTree = "<group>"; };
        		G1 = {isa = PBXGroup; children = (G2, ); sourceTree = "<group>"; };
        		G2 = {isa = PBXGroup; children = (F1 /* Release.xcconfig */, ); path = Config; sourceTree = "<group>"; };
        		P1 /* Project object */ = {isa = PBXProject; buildConfigurationList = L1; mainGroup = G1; projectDirPath = ""; targets = (T1, T2, ); };
        		L1 = {isa = XCConfigurationList; buildConfigurations = (C1, C2, ); };
        		L2 = {isa = XCConfigurationList; buildConfigurations = (C3, C4, ); };
        		T1 = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildConfigurationList = L2; };
        		T2 = {isa = PBXNativeTarget; name = Kit; productType = "com.apple.product-type.framework"; buildConfigurationList = L2; };
        		C1 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {"CODE_SIGN_IDENTITY[sdk=iphoneos*]" = "iPhone Developer"; }; };
        		C2 = {isa = XCBuildConfiguration; name = Release; buildSettings = {"CODE_SIGN_IDENTITY[sdk=iphoneos*]" = "iPhone Developer"; DEVELOPMENT_TEAM = FROMPROJ01; PREFIX = org.example; }; };
        		C3 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {CODE_SIGN_STYLE = Automatic; }; };
        		C4 = {isa = XCBuildConfiguration; baseConfigurationReference = F1; name = Release; buildSettings = {
        			CODE_SIGN_ENTITLEMENTS = App/App.entitlements;
        			"CODE_SIGN_IDENTITY[sdk=iphoneos*]" = "Apple Distribution";
        			CODE_SIGN_STYLE = Manual;
        			PRODUCT_BUNDLE_IDENTIFIER = "$(PREFIX).app";
        			PROVISIONING_PROFILE_SPECIFIER = "App Store org.example.app";
        		}; };
        	};
        	rootObject = P1 /* Project object */;
        }
        """
}
