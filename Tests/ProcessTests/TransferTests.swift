import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct TransferTests {
    /// Channels of every kind, and their lines.
    private func fill(_ daemon: Daemon) async throws -> [String] {
        let large = "\"" + String(repeating: "lärm ", count: 20_000) + "\""
        let deep = String(repeating: "[", count: 62) + "1.50" + String(repeating: "]", count: 62)
        try await daemon.succeed("create", "a/empty")
        try await daemon.succeed("set", "b", "null")
        try await daemon.succeed("complete", "b")
        try await daemon.succeed("set", "deep", deep)
        try await daemon.succeed("create", "gone")
        try await daemon.succeed("fail", "gone", "--code", "hot", "--message", "zu \"heiß\"", "--data", "[90]")
        try await daemon.succeed("create", "lamp", "--paired", "--value", "{\"on\": false}")
        try await daemon.succeed("set", "lamp", "{\"on\": true}")
        try await daemon.succeed("create", "lamp 2", "--paired")
        try await daemon.succeed("set", "lamp 2", "12345678901234567890")
        try await daemon.succeed("complete", "lamp 2")
        try await daemon.succeed("set", "lärm/温度", "-", input: .text(large))
        return [
            #"{"channel":"a/empty","mode":"shared","state":"open"}"#,
            #"{"channel":"b","mode":"shared","state":"completed","value":null}"#,
            #"{"channel":"deep","mode":"shared","state":"open","value":\#(deep)}"#,
            #"{"channel":"gone","mode":"shared","state":"failed","error":{"code":"hot","message":"zu \"heiß\"","data":[90]}}"#,
            #"{"channel":"lamp","mode":"paired","state":"open","value":{"on": false},"wish":{"on": true}}"#,
            #"{"channel":"lamp 2","mode":"paired","state":"completed","wish":12345678901234567890}"#,
            #"{"channel":"lärm/温度","mode":"shared","state":"open","value":\#(large)}"#,
        ]
    }

    @Test("An export that is imported elsewhere makes the same channels, and importing it again changes nothing")
    func roundTrip() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let lines = try await self.fill(daemon)
            expect(try await daemon.succeed("export") == lines)
            expect(try await daemon.succeed("export", "lamp/*") == [])
            let file = workplace.path("channels.jsonl")
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
            expect(try await daemon.succeed("import", file) == ["created 0, changed 0, left alone 7"])
            let other = try await Daemon(workplace.racd(["--listen", "127.0.0.1:0", "--memory"]), in: workplace)
            expect(
                try await other.succeed("import", "--dry-run", file) == ["would be created 7, changed 0, left alone 0"]
            )
            expect(try await other.succeed("export") == [])
            expect(try await other.succeed("import", file) == ["created 7, changed 0, left alone 0"])
            expect(try await other.succeed("export") == lines)
            expect(try await other.succeed("import", file) == ["created 0, changed 0, left alone 7"])
        }
    }

    @Test("An import gives channels that are there the state of their lines, and leaves others alone")
    func change() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("txn", "a=1", "b=1", "c=1", "other=1")
            try await daemon.succeed("complete", "b")
            let lines = [
                #"{"channel":"a","mode":"shared","state":"completed","value":2}"#,
                #"{"channel":"b","mode":"shared","state":"open","value":2}"#,
                #"{"channel":"c","mode":"shared","state":"open","value":1}"#,
            ]
            let input = Input.text(lines.joined(separator: "\n\n"))
            expect(
                try await daemon.succeed("import", "-o", "json", input: input)
                    == [#"{"created":0,"changed":2,"unchanged":1}"#]
            )
            expect(try await daemon.succeed("export", "*").prefix(3) == lines[...])
            expect(try await daemon.succeed("get", "other") == ["1"])
        }
    }

    @Test(
        "An invalid line is reported by its number, and nothing is changed",
        arguments: [
            ("{\"channel\":\"b\"", "line 2 is no JSON object: the JSON ends too early, after 14 bytes", 1),
            ("7", "line 2 is no JSON object: unexpected '7' at byte 0 of the JSON", 1),
            ("{}", "line 2: \"channel\" is missing", 1),
            (
                #"{"channel":"b","state":"ended"}"#,
                #"line 2: "state" must be open, completed or failed, not "ended""#, 1
            ),
            ("{\"channel\":\"a\"}", "line 2 names a, as line 1 does", 1),
            (
                "{\"channel\":\"$sys/a\"}",
                "line 2 is not right: names that begin with $, such as $sys/a, are the daemon's own", 1
            ),
            ("{\"channel\":\"lamp\"}", "line 2: lamp is paired here, so it cannot be imported as shared", 4),
        ]
    )
    func badLine(line: String, message: String, status: Int32) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("create", "lamp", "--paired")
            let input = Input.text("{\"channel\":\"a\",\"value\":1}\n\(line)\n")
            let ended = try await daemon.run("import", input: input)
            expect(ended == Ended(status: status, output: [], errors: ["racctl: \(message)"]))
            expect(try await daemon.run("get", "a").status == 3)
        }
    }

    @Test("A refusal in the middle of an import is reported with its line and with what was done")
    func refused() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--max-frame", "1024")
            let long = String(repeating: "x", count: 2000)
            let ended = try await daemon.run(
                "import",
                input: .text("{\"channel\":\"a\",\"value\":1}\n{\"channel\":\"b\",\"value\":\"\(long)\"}\n")
            )
            expect(ended.status == 9)
            expect(ended.errors.count == 1)
            expect(ended.errors.first?.hasPrefix("racctl: line 2: b: ") == true)
            expect(ended.errors.first?.hasSuffix(": 1 of 2 changes were made") == true)
            expect(try await daemon.succeed("get", "a") == ["1"])
        }
    }

    @Test("More channels than one window of requests are exported and imported")
    func many() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let lines = (10_000..<11_200).map {
                #"{"channel":"n/\#($0)","mode":"shared","state":"open","value":\#($0)}"#
            }
            let file = workplace.path("many.jsonl")
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
            expect(try await daemon.succeed("import", file) == ["created 1200, changed 0, left alone 0"])
            expect(try await daemon.succeed("export") == lines)
        }
    }
}
