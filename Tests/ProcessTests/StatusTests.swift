import Expectations
import Testing

@Suite(.timeLimit(.minutes(10))) struct StatusTests {
    @Test("The status shows what racd is and how it does")
    func status() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let lines = try await daemon.succeed("status")
            expect(lines.first?.hasPrefix("racd 1.") == true)
            expect(lines.first?.contains(daemon.url.dropFirst(6)) == true)
            #expect(lines.contains("  storage      ok"))
            #expect(lines.contains("  access       open"))
            try await daemon.succeed("set", "a", "1")
            _ = try await daemon.bound("a", "1")
            // The figures may be a second old.
            while try await !daemon.succeed("status").contains("  connections  1 (tcp 1)") {
                try await Task.sleep(for: .milliseconds(100))
            }
            let json = try #require(try await daemon.succeed("status", "-o", "json").first)
            for member in [
                "server", "ms", "version", "uptime", "storage", "connections", "transports", "channels", "changes",
            ] {
                #expect(json.contains("\"\(member)\":"))
            }
        }
    }
}
