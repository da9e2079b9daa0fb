import Expectations
import Testing

@Suite(.timeLimit(.minutes(10))) struct TransactionTests {
    @Test("Several channels are set in one transaction, from arguments and from lines")
    func set() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            expect(try await daemon.succeed("txn", "a=1", "b=\"x\"", "c=Quiet = hour", "d=\"\"") == [])
            expect(try await daemon.succeed("get", "b") == ["\"x\""])
            expect(try await daemon.succeed("get", "c") == ["\"Quiet = hour\""])
            expect(try await daemon.succeed("get", "d") == ["\"\""])
            let lines = #"{"channel":"a=b","value":[1,  2.50],"if":0}"# + "\n\n" + #"{"value":null,"channel":"a"}"#
            let told = try await daemon.succeed("txn", "-o", "json", input: .text(lines))
            expect(told.count == 2)
            expect(told.first?.hasPrefix(#"{"channel":"a=b","rev":"#) == true)
            expect(try await daemon.succeed("get", "a=b") == ["[1,  2.50]"])
            expect(try await daemon.succeed("get", "a") == ["null"])
            expect(try await daemon.succeed("txn", "--string", "--no-sync", "a=1") == [])
            expect(try await daemon.succeed("get", "a") == ["\"1\""])
            let empty = try await daemon.run("txn")
            expect(empty == Ended(status: 1, output: [], errors: ["racctl: standard input is empty: nothing was set"]))
        }
    }

    @Test("A channel that is not set is compared, from arguments and from lines")
    func guards() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            let conflict = try await daemon.run("txn", "b=1", "--if-rev", "a=0")
            expect(conflict.status == 4)
            expect(conflict.errors.first?.hasPrefix("racctl: nothing was set: a: ") == true)
            expect(try await daemon.run("get", "b").status == 3)
            expect(try await daemon.succeed("txn", "b=1", "--if-rev", "c=0") == [])
            expect(try await daemon.run("get", "c").status == 3)
            let lines = #"{"channel":"b","value":2}"# + "\n" + #"{"channel":"c","if":0}"#
            let told = try await daemon.succeed("txn", "-o", "json", input: .text(lines))
            expect(told.last == #"{"channel":"c","rev":0}"#)
            expect(try await daemon.succeed("get", "b") == ["2"])
            let twice = try await daemon.run("txn", "--if-rev", "c=0", input: .text(#"{"channel":"c","if":0}"#))
            #expect(twice.status == 1 && twice.errors.count == 1)
        }
    }

    @Test("If one channel has another revision or has ended nothing is set, and the message names it")
    func refused() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("txn", "a=1", "b=1", "--if-rev", "a=0", "--if-rev", "b=0")
            let conflict = try await daemon.run("txn", "a=2", "b=2", "--if-rev", "b=0", "-o", "json")
            expect(conflict.status == 4)
            expect(conflict.errors.first?.contains(#"nothing was set: b: "#) == true)
            expect(conflict.errors.first?.hasSuffix(#","value":1}}"#) == true)
            try await daemon.succeed("complete", "b")
            let ended = try await daemon.run("txn", "a=2", "b=2")
            expect(ended.status == 4)
            let reason = "b has ended: `racctl reopen b` makes it live again"
            expect(ended.errors == ["racctl: nothing was set: \(reason)"])
            let line = try await daemon.run(
                "txn",
                input: .text("{\"channel\":\"a\",\"value\":2}\n{\"channel\":\"a\"}\n")
            )
            expect(line.status == 1)
            expect(line.errors.first?.hasPrefix("racctl: line 2: \"value\" is missing") == true)
            expect(try await daemon.succeed("get", "a") == ["1"])
        }
    }
}
