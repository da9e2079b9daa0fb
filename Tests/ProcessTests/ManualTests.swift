import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct ManualTests {
    @Test("Every subcommand has a manual page, with its options and the exit codes")
    func pages() async throws {
        try await Workplace.with { workplace in
            let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
            let folder = workplace.folder.appending(path: "man")
            let programs = ["racd", "racctl"].map(Program.path)
            let maker = package.appending(path: "deploy/make-manual").path
            expect(try await workplace.start(maker, [folder.path] + programs).ended().errors == [])
            let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for subcommand in ["", "-bind", "-wait", "-txn", "-watch", "-export", "-context"] {
                #expect(written.contains("racctl\(subcommand).1"))
            }
            for subcommand in ["-serve", "-config", "-config-check", "-acl-test", "-token-create"] {
                #expect(written.contains("racd\(subcommand).1"))
            }
            let page = try String(contentsOf: folder.appending(path: "racctl-wait.1"), encoding: .utf8)
            for part in [
                ".SH NAME", ".SH EXAMPLES", "\\-\\-timeout", ".SH EXIT STATUS", "timed out", ".SH ENVIRONMENT",
                "RACCTL_TOKEN_FILE",
            ] {
                #expect(page.contains(part))
            }
        }
    }
}
