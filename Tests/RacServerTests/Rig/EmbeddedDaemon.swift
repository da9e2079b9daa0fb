import Logging
import NIOCore
import NIOEmbedded
import RacHost
import RacProtocol

@testable import RacServer

/// The daemon on an event loop that runs when the test says so, and whose time passes when the test says so.
final class EmbeddedDaemon {
    let loop = EmbeddedEventLoop()
    let shell: HostShell

    init(_ change: (inout ServerConfiguration) -> Void = { _ in }) {
        var configuration = ServerConfiguration(name: "racd/test", storage: .memory)
        change(&configuration)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        self.shell = OpenedStorage.memory().makeShell(configuration, self.loop, logger)
    }

    /// A client that has connected and said nothing.
    func client() throws -> EmbeddedClient {
        try EmbeddedClient(self)
    }

    /// A client that has been welcomed.
    func welcomed(deflate: Bool = false) throws -> EmbeddedClient {
        let client = try EmbeddedClient(self)
        let welcome = try client.ask(deflate ? #"{"op":"hello","version":1,"deflate":true}"# : Wire.hello)
        guard welcome.isWelcome else { throw Surprise(what: welcome.text) }
        return client
    }

    func pass(milliseconds: Int64) {
        self.loop.advanceTime(by: .milliseconds(milliseconds))
    }
}

/// The client's end of a connection to it.
final class EmbeddedClient {
    let channel: EmbeddedChannel
    let handler: ConnectionHandler
    private var received = ByteBuffer()

    fileprivate init(_ daemon: EmbeddedDaemon) throws {
        self.handler = daemon.shell.makeHandler()
        self.channel = EmbeddedChannel(handler: self.handler, loop: daemon.loop)
        self.channel.connect(to: try SocketAddress(unixDomainSocketPath: "/client"), promise: nil)
        self.channel.embeddedEventLoop.run()
    }

    var isConnected: Bool { self.channel.isActive }

    /// Says all of this in one read of the daemon's.
    func say(_ texts: String...) throws {
        try self.sayBytes(Wire.frames(texts))
    }

    func sayBytes(_ bytes: ByteBuffer) throws {
        try self.channel.writeInbound(bytes)
        self.channel.embeddedEventLoop.run()
    }

    /// Everything that the daemon has said.
    func heard() throws -> [Heard] {
        while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) {
            self.received.writeImmutableBuffer(bytes)
        }
        var heard: [Heard] = []
        while let next = try Wire.take(from: &self.received) { heard.append(next) }
        return heard
    }

    /// Says this and hears the one answer.
    func ask(_ text: String) throws -> Heard {
        try self.say(text)
        let heard = try self.heard()
        guard heard.count == 1 else { throw Surprise(what: "\(heard.map(\.text))") }
        return heard[0]
    }

    func bind(_ channel: String, _ options: String = "") throws -> UInt64 {
        let reply = try self.ask(#"{"op":"bind","id":1,"channel":"\#(channel)"\#(options)}"#)
        guard let terminal = reply.terminal else { throw Surprise(what: reply.text) }
        return terminal
    }

    /// Closes the client's side.
    func endInput() {
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        self.channel.embeddedEventLoop.run()
    }

    /// Is gone without a word.
    func vanish() {
        self.channel.close(promise: nil)
        self.channel.embeddedEventLoop.run()
    }

    /// Reads, or lets the socket be full.
    func setReading(_ isReading: Bool) {
        self.channel.isWritable = isReading
        self.channel.pipeline.fireChannelWritabilityChanged()
        self.channel.embeddedEventLoop.run()
    }
}
