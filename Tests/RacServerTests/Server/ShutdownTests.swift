import Expectations
import NIOCore
import RacProtocol
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree, .timeLimit(.minutes(10))) struct ShutdownTests {
    @Test("Clients are notified that the daemon shuts down")
    func told() async throws {
        let daemon = try await RunningDaemon()
        let clients = [try await daemon.welcomed(), try await daemon.welcomed()]
        try await daemon.stop()
        for client in clients {
            let codes = try await client.hearAll().map(\.code)
            expect(codes == ["shutting-down"])
        }
    }

    @Test("Clients that have not said hello are notified, too, where none can be a browser")
    func toldWithoutHello() async throws {
        // One thread takes connections in their order: it knows the first one when it serves a later one.
        let daemon = try await RunningDaemon {
            $0.threads = 1
            $0.web = nil
        }
        let client = try daemon.client()
        _ = try await daemon.welcomed()
        try await daemon.stop()
        let codes = try await client.hearAll().map(\.code)
        expect(codes == ["shutting-down"])
    }

    @Test("Acknowledged writes are there again after the daemon was stopped in full flow")
    func nothingAcknowledgedIsLost() async throws {
        let folder = try TestFolder()
        let storage = ServerConfiguration.Storage.folder(folder.path + "/data", .full)
        let daemon = try await RunningDaemon(storage: storage)
        let writer = try await daemon.welcomed()
        let terminal = try await writer.bind("a", #","role":"leading""#)
        async let stopping: Void = daemon.stop()
        var acknowledged: UInt64 = 0
        var isOver = false
        var number = 0
        while !isOver {
            number += 1
            // The daemon may be gone by now.
            try? await writer.say(#"{"op":"next","t":\#(terminal),"n":\#(number),"value":\#(number)}"#)
            let heard = try await writer.hear()
            if let next = heard.acknowledged { acknowledged = next } else { isOver = true }
            #expect(!isOver || heard.code == "shutting-down")
        }
        try await stopping
        try await RunningDaemon.serving(storage: storage) { daemon in
            let client = try await daemon.welcomed()
            let known = try await client.ask(#"{"op":"get","id":1,"channel":"a"}"#)
            guard acknowledged > 0 else { return }
            #expect(
                known.text.contains(#""value":\#(acknowledged),"#)
                    || known.text.contains(#""value":\#(acknowledged + 1),"#)
            )
        }
    }

    @Test("Writes that wait for the disk when the daemon is stopped are answered before it goes")
    func waitingWrites() async throws {
        let folder = try TestFolder()
        let storage = ServerConfiguration.Storage.folder(folder.path + "/data", .full)
        let daemon = try await RunningDaemon(storage: storage)
        let client = try await daemon.welcomed()
        let count = 200
        let sets = (1...count).map { #"{"op":"set","id":\#($0),"channel":"c\#($0)","value":1,"sync":true}"# }
        // The daemon may read them in parts; it has read all of them when it answers what comes behind.
        try await client.sayBytes(Wire.frames(sets + [#"{"op":"ping","id":0}"#]))
        var heard: [Heard] = []
        while heard.last?.text.contains(#""id":0"#) != true { heard.append(try await client.hear()) }
        try await daemon.stop()
        heard += try await client.hearAll()
        let answered = heard.count { $0.text.hasPrefix(#"{"op":"reply""#) }
        expect(answered == count + 1)
        expect(heard.last?.code == "shutting-down")
    }

    @Test("A client that never reads does not hold up the end")
    func stubbornClient() async throws {
        let daemon = try await RunningDaemon()
        let client = try await daemon.welcomed(receiveBuffer: 4_096)
        let value = JSONText.filler(bytes: 1 << 20)
        try await client.say(#"{"op":"set","id":0,"channel":"a","value":\#(value)}"#)
        _ = try await client.hear()
        try await client.sayBytes(Wire.frames((1...64).map { #"{"op":"get","id":\#($0),"channel":"a"}"# }))
        // This client would be taken for silent after 25 minutes, later than the time limit of these tests.
        try await daemon.stop()
    }
}
