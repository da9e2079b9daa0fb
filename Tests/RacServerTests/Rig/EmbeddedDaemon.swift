import Logging
import NIOCore
import NIOEmbedded
import RacAccess
import RacHost
import RacProtocol
import RacTesting
import RacWeb

@testable import RacServer

/// The daemon on event loops that run when the test says so, and whose time passes when the test says so.
///
/// With more than one, connections take turns among those that are not the host's.
final class EmbeddedDaemon {
    let shell: HostShell
    /// The lines of its log.
    let log = Log<String>()
    private let loops: [EmbeddedEventLoop]
    private let connections: [ConnectionLoop]
    private var nextLoop = 0

    /// Makes a daemon whose loops are connected this many milliseconds after they were made.
    init(connectedAfter milliseconds: Int64 = 0, _ change: (inout ServerConfiguration) -> Void = { _ in }) {
        var configuration = ServerConfiguration(name: "racd/test", storage: .memory)
        change(&configuration)
        let logger = Logger(label: "test", factory: { [log] _ in LogLines(log) })
        let admission = Admission(limit: configuration.maximumConnections)
        let loops = (0..<Threads.count).map { _ in EmbeddedEventLoop() }
        let accounts = LeftAccounts()
        let sessions = WebSessions(mark: "0f")
        let shell = OpenedStorage.memory().makeShell(configuration, on: loops[0])
        self.connections = loops.enumerated().map { number, loop in
            ConnectionLoop(
                configuration,
                epoch: shell.epoch,
                host: LoopReference(shell, on: loops[0]),
                numbers: ConnectionNumbers(loop: number, loopCount: loops.count),
                admission: admission,
                accounts: accounts,
                dialects: Dialects(configuration, sessions),
                loop: loop,
                logger: logger
            )
        }
        for loop in loops { loop.advanceTime(by: .milliseconds(milliseconds)) }
        shell.connect(zip(self.connections, loops).map { LoopReference($0, on: $1) })
        self.loops = loops
        self.shell = shell
    }

    /// A place for one more connection.
    fileprivate func makeHandler() -> (ConnectionHandler, EmbeddedEventLoop) {
        self.nextLoop = self.nextLoop + 1 < self.loops.count ? self.nextLoop + 1 : min(1, self.loops.count - 1)
        return (self.connections[self.nextLoop].makeHandler(), self.loops[self.nextLoop])
    }

    /// Runs until no loop has anything to do.
    ///
    /// The work of one loop may give another one work, many times. Work that
    /// does not fit a tick goes on a little later.
    func run() {
        for _ in 0..<60 {
            self.exchange()
            for loop in self.loops { loop.advanceTime(by: .microseconds(100)) }
        }
        self.exchange()
    }

    /// Runs until no loop has anything to do now.
    func runNow() { self.exchange() }

    func pass(microseconds: Int64) {
        for loop in self.loops { loop.advanceTime(by: .microseconds(microseconds)) }
    }

    /// Clients whose connections are all on one loop.
    func onOneLoop(_ count: Int, _ connect: () throws -> EmbeddedClient) rethrows -> [EmbeddedClient] {
        try (0..<count).map { _ in
            self.nextLoop = 0
            return try connect()
        }
    }

    private func exchange() {
        for _ in 0..<(self.loops.count == 1 ? 1 : 20) { for loop in self.loops { loop.run() } }
    }

    func pass(milliseconds: Int64) {
        var left = milliseconds
        while left > 0 {
            let step = min(left, 100)
            for loop in self.loops { loop.advanceTime(by: .milliseconds(step)) }
            self.exchange()
            left -= step
        }
    }

    /// Other rules hold from now on.
    func take(_ access: AccessPolicy) {
        for connections in self.connections { connections.access = access }
        self.shell.take(access)
        self.run()
    }

    func stopListening() {
        for connections in self.connections { connections.stopListening() }
        self.run()
        self.shell.stopListening()
        self.run()
    }

    /// Says goodbye on all loops; the closure returns whether all clients have gone.
    func sayGoodbye() -> () -> Bool {
        var waiting = self.connections.count
        for connections in self.connections {
            connections.sayGoodbye().assumeIsolated().whenComplete { _ in waiting -= 1 }
        }
        self.run()
        return { waiting == 0 }
    }

    /// A client that has connected and said nothing, with these handlers between its connection and the exit to the socket.
    ///
    /// Without such handlers, as that of TLS, there is no exit. Alone in its pipeline, a connection writes without waiting for
    /// the end of the tick, as into a socket.
    func client(behind transport: [any ChannelHandler] = [], isAlone: Bool = false) throws -> EmbeddedClient {
        try EmbeddedClient(self, behind: transport, isAlone: isAlone)
    }

    /// A client that has been welcomed.
    func welcomed(deflate: Bool = false) throws -> EmbeddedClient {
        let client = try EmbeddedClient(self)
        let welcome = try client.ask(deflate ? #"{"op":"hello","version":1,"deflate":true}"# : Wire.hello)
        guard welcome.isWelcome else { throw Surprise(what: welcome.text) }
        return client
    }
}

/// The client's end of a connection to it.
final class EmbeddedClient {
    let channel: EmbeddedChannel
    let handler: ConnectionHandler
    private let daemon: EmbeddedDaemon
    private var received = ByteBuffer()

    fileprivate init(
        _ daemon: EmbeddedDaemon,
        behind transport: [any ChannelHandler] = [],
        isAlone: Bool = false
    ) throws {
        let (handler, loop) = daemon.makeHandler()
        self.daemon = daemon
        self.handler = handler
        if transport.isEmpty, !isAlone {
            self.channel = EmbeddedChannel(handler: handler, loop: loop)
        } else {
            self.channel = EmbeddedChannel(loop: loop)
            try handler.join(self.channel.pipeline.syncOperations, behind: transport)
        }
        self.channel.connect(to: try SocketAddress(unixDomainSocketPath: "/client"), promise: nil)
        self.daemon.run()
    }

    /// The connection as the host knows it.
    var hosted: HostedConnection? { self.daemon.shell.peer(self.handler.id)?.hosted }

    /// Whether something that it said waits until it has read its answers.
    var isHeld: Bool { self.daemon.shell.peer(self.handler.id)?.inbox.isWaiting ?? false }

    var isConnected: Bool { self.channel.isActive }

    /// Says all of this in one read of the daemon's.
    func say(_ texts: String...) throws {
        try self.sayBytes(Wire.frames(texts))
    }

    func sayBytes(_ bytes: ByteBuffer) throws {
        try self.channel.writeInbound(bytes)
        self.daemon.run()
    }

    /// Says this without letting any loop run.
    func sayInOnePiece(_ bytes: ByteBuffer) throws {
        try self.channel.writeInbound(bytes)
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

    /// All bytes that the daemon has sent, as they are.
    func heardBytes() throws -> ByteBuffer {
        while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) {
            self.received.writeImmutableBuffer(bytes)
        }
        defer { self.received = ByteBuffer() }
        return self.received
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
        self.daemon.run()
    }

    /// Is gone without a word.
    func vanish() {
        self.channel.close(promise: nil)
        self.daemon.run()
    }

    /// Reads, or lets the socket be full.
    func setReading(_ isReading: Bool) {
        self.channel.isWritable = isReading
        self.channel.pipeline.fireChannelWritabilityChanged()
        self.daemon.run()
    }
}
