import Testing

/// The entry point of the test program on Linux.
///
/// SwiftPM would generate one, for which it searches an index of all sources for XCTests. There are none, and the index is a
/// tenth of a build. The name of this file is the one that SwiftPM looks for.
@main struct LinuxMain {
    static func main() async {
        // `swift test` also asks for the XCTests, unless it is told not to with `--disable-xctest`.
        guard !CommandLine.arguments.contains("--dump-tests-json") else { return print(#"{"name":"XCTests","tests":[]}"#) }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
