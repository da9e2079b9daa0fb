import Expectations
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct WhoTests {
    @Test("Each binding of a channel is listed with its role, its pace and its program")
    func who() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            expect(try await daemon.succeed("who", "a") == [])
            _ = try await daemon.bound("a", "1")
            let line = try #require(try await daemon.succeed("who", "a").first)
            #expect(line.contains("following") && line.contains("newest") && line.contains("racctl/"))
            let json = try #require(try await daemon.succeed("who", "a", "-o", "json").first)
            #expect(json.contains(#""role":"following","gets":"newest","slow":false"#))
            expect(try await daemon.run("who", "b").status == 3)
        }
    }

    @Test("All connections are listed, with their names and addresses, over TCP and over a Unix socket")
    func connections() async throws {
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("s"))"
            let daemon = try await workplace.daemon("--durability", "off", "--listen", socket)
            try await daemon.succeed("set", "a", "1")
            _ = try await daemon.bound("a", "1", "--name", "hall")
            let lines = try await daemon.succeed("who")
            let hall = try #require(lines.first { $0.contains("hall") })
            #expect(hall.contains("  tcp  127.0.0.1:") && hall.hasSuffix("  hall"))
            let json = try #require(try await daemon.succeed("who", "-o", "json").first { $0.contains("hall") })
            #expect(json.contains(#""name":"hall","agent":"racctl/"#) && json.contains(#""peer":"127.0.0.1:"#))
            #expect(json.contains(#""via":"tcp","since":1"#) && json.contains(#""bound":1"#))
            let own = try await daemon.succeed("who", "--server", socket, "--name", "me", "-o", "json")
            let me = try #require(own.first { $0.contains(#""name":"me""#) })
            #expect(
                me.contains(#""via":"unix""#) && me.contains(#""peer":"unix","pid":"#)
                    && me.contains(#""uid":\#(getuid())"#)
            )
        }
    }
}
