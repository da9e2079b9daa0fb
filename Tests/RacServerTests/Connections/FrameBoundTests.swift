import Expectations
import NIOCore
import RacHost
import RacProtocol
import RacServer
import Testing

/// The longest frames of the daemon: at most three times `maxFrame` and 4 MiB.
@Suite struct FrameBoundTests {
    /// No page of names is long, so the longest answers are those of long values.
    private static let maximumFrameBytes = 1 << 20
    private static let bound = 3 * Self.maximumFrameBytes + (4 << 20)

    /// A message as long as the daemon takes.
    private func filled(_ head: String, with piece: String, _ tail: String) -> String {
        let room = Self.maximumFrameBytes - head.utf8.count - tail.utf8.count
        return head + String(repeating: piece, count: room / piece.utf8.count) + tail
    }

    @Test(
        "A value with a wish and an error, each as long as may be, fits, however its characters are written",
        arguments: ["x", "\\b", "\\f", "\\u0001", "\\\""]
    )
    func longestAnswer(piece: String) async throws {
        try await RunningDaemon.serving {
            $0.maximumFrameBytes = Self.maximumFrameBytes
        } _: { daemon in
            let client = try await daemon.welcomed()
            let made = try await client.ask(#"{"op":"create","id":1,"channel":"p","mode":"paired"}"#)
            expect(made.code == nil)
            for role in ["leading", "following"] {
                let head = #"{"op":"set","id":2,"channel":"p","role":"\#(role)","value":""#
                expect(try await client.ask(self.filled(head, with: piece, "\"}")).code == nil)
            }
            let head = #"{"op":"finish","id":3,"channel":"p","error":{"code":"c","message":""#
            expect(try await client.ask(self.filled(head, with: piece, "\"}}")).code == nil)
            let got = try await client.ask(#"{"op":"get","id":4,"channel":"p"}"#).payload.readableBytes
            try await client.say(#"{"op":"watch","id":5,"pattern":"p"}"#)
            _ = try await client.hear()
            let changed = try await client.hear().payload.readableBytes
            for length in [got, changed] {
                #expect(length > 3 * Self.maximumFrameBytes - 1_000, "three long texts are there")
                #expect(length <= Self.bound)
            }
        }
    }

    @Test("A page of names fits beside any maxFrame, also where each name is as long as may be and escaped")
    func pages() throws {
        let limits = Limits()
        let text = String(repeating: "\u{1}", count: limits.agentBytes)
        let peer = PeerAddress.tcp("[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255%0123456789abcde]:65535")
        let client = ConnectedClient(connection: .max, name: text, agent: text, peer: peer, since: .max)
        let name = String(repeating: "\"", count: 255)
        let channel = Listed.Entry(
            channel: try ChannelName(name),
            revision: Revision(.max),
            state: .completed,
            mode: .shared,
            bound: .max,
            changes: .max,
            slow: .max
        )
        let binding = Who.Entry(client: client, role: .following, delivery: .paced(interval: .max), isSlow: true)
        let command = ListedCommands.Entry(
            command: try CommandName(name),
            state: CommandState(isEnabled: false, isExecuting: false),
            isConcurrent: true,
            observers: .max,
            executions: .max,
            host: client
        )
        let count = limits.listedChannels
        let replies: [Reply] = [
            .listed(Listed(channels: Array(repeating: channel, count: count), more: true)),
            // Both bindings of a connection come in one answer.
            .who(Who(entries: Array(repeating: binding, count: count + 1), more: true)),
            .connections(
                ListedConnections(
                    entries: Array(repeating: .init(client: client, bound: .max), count: count),
                    more: true
                )
            ),
            .commands(ListedCommands(commands: Array(repeating: command, count: count), more: true)),
        ]
        for reply in replies {
            var bytes = ByteBuffer()
            ServerMessage.reply(RequestID(.max), reply).write(to: &bytes)
            #expect(bytes.readableBytes < 4 << 20)
        }
    }
}
