import Testing

@Suite(.timeLimit(.minutes(10))) struct TransactionTests {
    @Test("Several channels are set at once, from arguments and from lines")
    func set() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            #expect(try await daemon.succeed("txn", "a=1", "b=\"x\"", "c=Quiet = hour", "d=") == [])
            #expect(try await daemon.succeed("get", "b") == ["\"x\""])
            #expect(try await daemon.succeed("get", "c") == ["\"Quiet = hour\""])
            #expect(try await daemon.succeed("get", "d") == ["\"\""])
            let lines = #"{"channel":"a=b","value":[1,  2.50],"if":0}"# + "\n\n" + #"{"value":null,"channel":"a"}"#
            let told = try await daemon.succeed("txn", "-o", "json", input: .text(lines))
            #expect(told.count == 2)
            #expect(told.first?.hasPrefix(#"{"channel":"a=b","rev":"#) == true)
            #expect(try await daemon.succeed("get", "a=b") == ["[1,  2.50]"])
            #expect(try await daemon.succeed("get", "a") == ["null"])
            #expect(try await daemon.succeed("txn", "--string", "--no-sync", "a=1") == [])
            #expect(try await daemon.succeed("get", "a") == ["\"1\""])
            #expect(try await daemon.succeed("txn") == [])
        }
    }

    @Test("If one of them has another revision or has ended nothing is set, and the message names it")
    func refused() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("txn", "a=1", "b=1", "--if-rev", "a=0", "--if-rev", "b=0")
            let conflict = try await daemon.run("txn", "a=2", "b=2", "--if-rev", "b=0", "-o", "json")
            #expect(conflict.status == 4)
            #expect(conflict.errors.first?.contains(#"nothing was set: b: "#) == true)
            #expect(conflict.errors.first?.hasSuffix(#","value":1}}"#) == true)
            try await daemon.succeed("complete", "b")
            let ended = try await daemon.run("txn", "a=2", "b=2")
            #expect(ended.status == 4)
            #expect(ended.errors.first?.hasPrefix("racctl: nothing was set: b: ") == true)
            let line = try await daemon.run(
                "txn",
                input: .text("{\"channel\":\"a\",\"value\":2}\n{\"channel\":\"a\"}\n")
            )
            #expect(line.status == 1)
            #expect(line.errors.first?.hasPrefix("racctl: line 2 is not right: ") == true)
            #expect(try await daemon.succeed("get", "a") == ["1"])
        }
    }
}
