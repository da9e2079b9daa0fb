import Expectations
import NIOCore
import RacProtocol
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree, .timeLimit(.minutes(10))) struct TrafficTests {
    @Test("Many requests in one write are all answered, in their order")
    func manyInOneWrite() async throws {
        try await RunningDaemon.serving { daemon in
            let client = try await daemon.welcomed()
            try await client.sayBytes(Wire.frames((1...2_000).map { #"{"op":"ping","id":\#($0)}"# }))
            for id in 1...2_000 {
                expect(try await client.hear().text == #"{"op":"reply","id":\#(id)}"#)
            }
        }
    }

    @Test("A burst of 10 000 sends is acknowledged to the last, and a reader of every value gets all in order")
    func burst() async throws {
        try await RunningDaemon.serving { daemon in
            let writer = try await daemon.welcomed()
            let reader = try await daemon.welcomed()
            let terminal = try await writer.bind("a", #","role":"leading""#)
            _ = try await reader.bind("a", #","conflate":false"#)
            try await writer.sayBytes(Wire.frames((1...10_000).map { Self.send(terminal, $0, "\($0)") }))
            for value in 1...10_000 {
                expect(try await reader.hear().value == "\(value)")
            }
            var acknowledged: UInt64 = 0
            while acknowledged < 10_000 {
                let next = try #require(try await writer.hear().acknowledged)
                #expect(next > acknowledged)
                acknowledged = next
            }
            expect(acknowledged == 10_000)
        }
    }

    @Test("A reader that does not read costs the writer nothing, and gets the newest value when it reads again")
    func slowReader() async throws {
        // A client that reads for long must not be pinged meanwhile.
        try await RunningDaemon.serving({ $0.heartbeat = 600_000 }) { daemon in
            let writer = try await daemon.welcomed()
            let reader = try await daemon.welcomed(receiveBuffer: 4_096)
            let terminal = try await writer.bind("a", #","role":"leading""#)
            _ = try await reader.bind("a")
            let last = 3_000
            let filler = JSONText.filler(bytes: 8_000)
            // More than all the sockets' buffers take.
            for start in stride(from: 1, through: last, by: 100) {
                let sends = (start..<start + 100).map { Self.send(terminal, $0, "[\($0),\(filler)]") }
                try await writer.sayBytes(Wire.frames(sends))
                while try await writer.hear().acknowledged ?? 0 < start + 99 {}
            }
            var newest = 0
            var count = 0
            while newest < last {
                let value = try #require(try await reader.hear().value)
                let number = try #require(Int(value.dropFirst().prefix { $0 != "," }))
                #expect(number > newest)
                newest = number
                count += 1
            }
            #expect(count < last)
        }
    }

    @Test("A client that requests much and reads nothing waits, others do not, and it gets all in the end")
    func greedyReader() async throws {
        try await RunningDaemon.serving { daemon in
            let count = 64
            let greedy = try await daemon.welcomed(receiveBuffer: 4_096)
            let other = try await daemon.welcomed()
            let value = JSONText.filler(bytes: 1 << 20)
            expect(try await other.ask(#"{"op":"set","id":0,"channel":"a","value":\#(value)}"#).code == nil)
            try await greedy.sayBytes(Wire.frames((1...count).map { #"{"op":"get","id":\#($0),"channel":"a"}"# }))
            for id in 1...100 {
                expect(try await other.ask(#"{"op":"ping","id":\#(id)}"#).text == #"{"op":"reply","id":\#(id)}"#)
            }
            greedy.endInput()
            let heard = try await greedy.hearAll()
            expect(heard.count == count)
            for (index, answer) in heard.enumerated() {
                #expect(
                    answer.text.hasPrefix(#"{"op":"reply","id":\#(index + 1),"#) && answer.text.utf8.count > 1 << 20
                )
            }
        }
    }

    @Test("Each of many sync sends in one write is answered, and there when the daemon starts again")
    func manyForTheDisk() async throws {
        let folder = try TestFolder()
        let storage = ServerConfiguration.Storage.folder(folder.path + "/data", .full)
        let (channels, rounds) = (100, 5)
        try await RunningDaemon.serving(storage: storage) { daemon in
            let writer = try await daemon.welcomed()
            var terminals: [UInt64] = []
            for channel in 1...channels {
                terminals.append(try await writer.bind("a/\(channel)", #","role":"leading""#))
            }
            for round in 1...rounds {
                let sends = terminals.map { Self.send($0, round, "\(round)", sync: true) }
                try await writer.sayBytes(Wire.frames(sends))
                for _ in terminals { expect(try await writer.hear().acknowledged == UInt64(round)) }
            }
        }
        try await RunningDaemon.serving(storage: storage) { daemon in
            let reader = try await daemon.welcomed()
            for channel in 1...channels {
                let known = try await reader.ask(#"{"op":"get","id":\#(channel),"channel":"a/\#(channel)"}"#)
                #expect(known.text.contains(#""value":\#(rounds),"#))
            }
        }
    }

    private static func send(_ terminal: UInt64, _ number: Int, _ value: String, sync: Bool = false) -> String {
        #"{"op":"next","t":\#(terminal),"n":\#(number),\#(sync ? #""sync":true,"# : "")"value":\#(value)}"#
    }
}
