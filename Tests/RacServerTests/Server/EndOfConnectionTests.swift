import Expectations
import NIOCore
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree, .timeLimit(.minutes(10))) struct EndOfConnectionTests {
    @Test("The reason reaches a client that had much more on the way")
    func refusedArrives() async throws {
        try await RunningDaemon.serving { daemon in
            for _ in 0..<5 {
                let client = try await daemon.welcomed()
                var bytes = ByteBuffer(integer: UInt32(1 << 30))
                bytes.writeRepeatingByte(0x7B, count: 2 << 20)
                // The daemon takes no more, so the rest stays behind.
                _ = client.sayWhatFits(bytes)
                expect(try await client.hear().code == "too-large")
                expect(try await client.hearOrEnd() == nil)
            }
        }
    }

    @Test("A client that closes its side behind its requests gets their answers and then the end")
    func halfClose() async throws {
        try await RunningDaemon.serving { daemon in
            let client = try daemon.client()
            try await client.sayBytes(Wire.frames([Wire.hello] + (1...500).map { #"{"op":"ping","id":\#($0)}"# }))
            client.endInput()
            let heard = try await client.hearAll()
            expect(heard.first?.isWelcome == true)
            expect(heard.dropFirst().map(\.text) == (1...500).map { #"{"op":"reply","id":\#($0)}"# })
        }
    }

    @Test("A client that says bye gets what is due and then the end")
    func bye() async throws {
        try await RunningDaemon.serving { daemon in
            let client = try await daemon.welcomed()
            try await client.say(#"{"op":"ping","id":1}"#, #"{"op":"bye"}"#)
            expect(try await client.hearAll().map(\.text) == [#"{"op":"reply","id":1}"#])
        }
    }

    @Test("A client that leaves while its writes wait for the disk gets their answers first", arguments: [true, false])
    func waitingWrites(_ saysBye: Bool) async throws {
        let folder = try TestFolder()
        let daemon = try await RunningDaemon(storage: .folder(folder.path + "/data", .full))
        let client = try await daemon.welcomed()
        let bind = #"{"op":"bind","id":1,"channel":"x"}"#
        let set = #"{"op":"set","id":2,"channel":"y","value":1,"sync":true}"#
        try await client.say(bind, set)
        if saysBye { try await client.say(#"{"op":"bye"}"#) } else { client.endInput() }
        let heard = try await client.hearAll().map(\.text)
        expect(heard.count == 2)
        expect(heard.last?.hasPrefix(#"{"op":"reply","id":2,"#) == true)
        try await daemon.stop()
    }

    @Test("A reset applies the will and harms nobody else")
    func reset() async throws {
        try await RunningDaemon.serving { daemon in
            let watcher = try await daemon.welcomed()
            _ = try await watcher.bind("status")
            for round in 1...5 {
                let device = try await daemon.welcomed()
                _ = try await device.bind("status", #","will":{"value":\#(round)}"#)
                // Something is on its way to it, so that there is something to be lost.
                try await device.sayBytes(
                    Wire.frames((0..<100).map { #"{"op":"get","id":\#($0),"channel":"status"}"# })
                )
                device.reset()
                expect(try await watcher.hear().value == "\(round)")
            }
        }
    }

    @Test("Connections beyond the limit are refused; a place that becomes free is given again")
    func limit() async throws {
        try await RunningDaemon.serving({ $0.maximumConnections = 2 }) { daemon in
            let first = try await daemon.welcomed()
            let second = try await daemon.welcomed()
            let third = try daemon.client()
            expect(try await third.hear().code == "limit")
            expect(try await third.hearOrEnd() == nil)
            first.hangUp()
            var welcome: Heard?
            // The daemon may close a connection beyond the limit before the client has said hello.
            while welcome?.isWelcome != true { welcome = try? await daemon.client().ask(Wire.hello) }
            expect(try await second.ask(#"{"op":"ping","id":1}"#).code == nil)
        }
    }

    @Test("The limit of connections changes while the daemon runs")
    func otherLimit() async throws {
        try await RunningDaemon.serving({ $0.maximumConnections = 1 }) { daemon in
            let first = try await daemon.welcomed()
            expect(try await daemon.client().hear().code == "limit")
            daemon.changes.apply(.init(access: nil, maximumConnections: 2))
            var welcome: Heard?
            while welcome?.isWelcome != true { welcome = try await daemon.client().ask(Wire.hello) }
            expect(try await first.ask(#"{"op":"ping","id":1}"#).code == nil)
        }
    }

    @Test("A silent client is pinged; it stays as long as it answers, and is ended when it does not")
    func heartbeat() async throws {
        // Seven seconds and a half to answer, since other tests and machines may take some.
        try await RunningDaemon.serving({ $0.heartbeat = 5_000 }) { daemon in
            let client = try await daemon.welcomed()
            for _ in 0..<2 {
                expect(try await client.hear().text == #"{"op":"ping"}"#)
                try await client.say(#"{"op":"pong"}"#)
            }
            let heard = try await client.hearAll()
            expect(Set(heard.map(\.text)) == [#"{"op":"ping"}"#])
        }
    }

    @Test("A client that says no hello is ended")
    func helloTimeout() async throws {
        try await RunningDaemon.serving({ $0.helloTimeout = 100 }) { daemon in
            let client = try daemon.client()
            expect(try await client.hearAll().map(\.code) == [])
        }
    }
}
