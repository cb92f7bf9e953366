// SPDX-License-Identifier: Apache-2.0

/// Tells whose code a file is by its path.
enum Origins {
    static func origin(of path: String) -> Origin {
        let low = path.lowercased()
        if ["pods/", "carthage/", "vendor/", "thirdparty/", "third_party/", ".build/", "sourcepackages/"].contains(
            where: { low.contains($0) })
        {
            return .thirdParty
        }
        if ["tests/", "uitests", "spec.swift", "fastlane/"].contains(where: { low.contains($0) }) { return .test }
        return .own
    }
}
