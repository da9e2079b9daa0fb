import Testing

@Suite(.timeLimit(.minutes(10))) struct WhoTests {
    @Test("Who is bound to a channel is listed, with what it is")
    func who() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            #expect(try await daemon.succeed("who", "a") == [])
            _ = try await daemon.bound("a", "1")
            let line = try #require(try await daemon.succeed("who", "a").first)
            #expect(line.contains("following") && line.contains("newest") && line.contains("racctl/"))
            let json = try #require(try await daemon.succeed("who", "a", "-o", "json").first)
            #expect(json.contains(#""role":"following","gets":"newest","slow":false"#))
            #expect(try await daemon.run("who", "b").status == 3)
        }
    }
}
