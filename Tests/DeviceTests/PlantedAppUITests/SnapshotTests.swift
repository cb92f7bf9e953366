// SPDX-License-Identifier: Apache-2.0
//
// Not compiled and not run where this project is built: see README.md in the folder above.

import XCTest

final class SnapshotTests: XCTestCase {
    private let app = XCUIApplication()
    private let springboard = XCUIApplication(bundleIdentifier: "com.apple.springboard")

    override func setUp() {
        continueAfterFailure = false
        app.launch()
        app.textFields["field"].firstMatch.tap()
    }

    func test01ColdStart() { search() }
    func test02Home() {
        leave()
        search()
    }
    func test03Interruption() {
        controlCentre()
        leave()
        search()
    }
    func test04Switcher() {
        switcher()
        app.tap()
        leave()
        search()
    }
    func test05Return() {
        leave()
        app.activate()
        leave()
        search()
    }
    func test06Lock() {
        // The simulator and the device lock by the side button.
        let lock = Selector(("pressLockButton"))
        guard XCUIDevice.shared.responds(to: lock) else { return XCTFail("this Xcode can't lock the device") }
        XCUIDevice.shared.perform(lock)
        sleep(2)
        XCUIDevice.shared.press(.home)
        search()
    }
    func test07BackgroundLaunch() {
        leave()
        app.terminate()
        app.launchArguments = ["-background"]
        app.launch()
        leave()
        search()
    }
    /// Prewarming can't be asked for; a cold start after an end is what comes nearest.
    func test08TerminatedAndStarted() {
        leave()
        app.terminate()
        app.launch()
        leave()
        search()
    }
    func test09SceneSwap() throws {
        try openScene()
        leave()
        search()
    }
    func test10TwoScenes() throws {
        try openScene()
        switcher()
        app.tap()
        leave()
        search()
    }
    func test11AwayFromAPrompt() {
        app.buttons["prompt"].firstMatch.tap()
        sleep(1)
        leave()
        search()
    }
    func test12Rotation() {
        XCUIDevice.shared.orientation = .landscapeLeft
        leave()
        XCUIDevice.shared.orientation = .portrait
        search()
    }

    private func openScene() throws {
        guard UIDevice.current.userInterfaceIdiom == .pad else { throw XCTSkip("two scenes are an iPad's") }
        app.buttons["scene"].firstMatch.tap()
        sleep(2)
    }

    /// The search finds what is there: without it, the others prove nothing.
    func testTheSearchFindsWhatIsThere() {
        app.terminate()
        app.launchArguments = ["-uncovered"]
        app.launch()
        leave()
        XCTAssertGreaterThan(result().showing, 0)
    }

    private func leave() {
        XCUIDevice.shared.press(.home)
        XCTAssertTrue(app.wait(for: .runningBackground, timeout: 10) || app.state == .runningBackgroundSuspended)
        // The picture is taken shortly after; a test of the system's has nothing better to wait for.
        sleep(2)
    }

    private func controlCentre() {
        let top = springboard.coordinate(withNormalizedOffset: CGVector(dx: 0.95, dy: 0.01))
        top.press(
            forDuration: 0.1, thenDragTo: springboard.coordinate(withNormalizedOffset: CGVector(dx: 0.95, dy: 0.6)))
        springboard.coordinate(withNormalizedOffset: CGVector(dx: 0.5, dy: 0.9)).tap()
    }

    private func switcher() {
        let bottom = springboard.coordinate(withNormalizedOffset: CGVector(dx: 0.5, dy: 0.999))
        bottom.press(
            forDuration: 0.1, thenDragTo: springboard.coordinate(withNormalizedOffset: CGVector(dx: 0.5, dy: 0.5)),
            withVelocity: .slow, thenHoldForDuration: 1)
    }

    private func search(file: StaticString = #filePath, line: UInt = #line) {
        if app.state == .runningForeground { leave() }
        let found = result()
        XCTAssertGreaterThan(found.pictures, 0, "no picture was taken", file: file, line: line)
        XCTAssertEqual(found.read, found.pictures, "a picture could not be read", file: file, line: line)
        XCTAssertEqual(found.showing, 0, "a picture shows what is confidential", file: file, line: line)
    }

    private func result() -> (pictures: Int, read: Int, showing: Int) {
        app.terminate()
        app.launchArguments = ["-search"]
        app.launch()
        let label = app.staticTexts["result"]
        XCTAssertTrue(label.waitForExistence(timeout: 10))
        let numbers = label.label.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3 else {
            XCTFail(label.label)
            return (0, 0, 0)
        }
        return (numbers[0], numbers[1], numbers[2])
    }
}
