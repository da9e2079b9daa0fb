import Testing

/// The entry point of the test program on Linux, found by its name.
///
/// SwiftPM would generate one, and would search an index of all sources for XCTests to put into it. There are none, and the
/// index is a quarter of the compiler's work.
@main struct LinuxMain {
    static func main() async {
        // Without `--disable-xctest`, `swift test` first asks for the list of the XCTests.
        guard !CommandLine.arguments.contains("--dump-tests-json") else {
            return print(#"{"name":"XCTests","tests":[]}"#)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
