import Dispatch
package import FoundationEssentials
import Logging
import NIOCore
import NIOPosix
import Rac
public import RacClient
import RacConnection
import RacServer

/// A daemon in the test's process: the real one, with its data in memory.
///
///     let daemon = TestDaemon()
///     let (kiosk, phone) = (daemon.client(), daemon.client())
///
/// It listens on a socket of its own in the folder for temporary files, so tests run side by side. A path that is too long
/// for a socket becomes one in `/tmp`. It ends when it is
/// released, or with ``stop()``. Isolation: any thread.
public final class TestDaemon: Sendable {
    /// The address, for clients that are made another way.
    public let address: DaemonAddress
    /// Runs all daemons, so that tests which keep the threads of tasks busy do not delay them.
    private static let executor = DaemonExecutor()
    private let server: Server
    private let running: Task<Void, Never>
    private let connections = Connections()

    /// Starts a daemon; clients wait until it is ready.
    public init() {
        let name = "rac-\(UUID().uuidString.prefix(8)).sock"
        let path = Self.path(of: name, in: FileManager.default.temporaryDirectory)
        var configuration = ServerConfiguration(name: "racd/test", storage: .memory)
        configuration.addresses = [.unix(path: path)]
        let logger = Logger(label: "racd", factory: { _ in SwiftLogNoOpLogHandler() })
        let server = Server(configuration: configuration, logger: logger) { _ in }
        self.address = .unix(path: path)
        self.server = server
        self.running = Task(executorPreference: Self.executor) { try? await server.run() }
    }

    deinit {
        self.server.shutDown()
    }

    /// The path of a socket in a folder, or in `/tmp`: each system limits the path of a socket, to 104 bytes or more.
    package static func path(of socket: String, in folder: URL) -> String {
        let path = folder.appending(path: socket).path
        return path.utf8.count < 104 ? path : "/tmp/\(socket)"
    }

    /// Another program of this daemon.
    ///
    /// - Parameter configuration: As for any client; the pauses between attempts to connect are at most 20 ms.
    /// - Returns: A client that the test closes, or lets go of.
    public func client(configuration: ClientConfiguration = ClientConfiguration()) -> Client {
        var configuration = configuration
        configuration.longestPause = min(configuration.longestPause, .milliseconds(20))
        let (address, connections) = (self.address, self.connections)
        let surroundings = ClientSurroundings(
            session: UUID().uuidString.lowercased(),
            random: SystemRandomNumberGenerator()
        ) { eventLoop, timeout, initialize in
            guard connections.isReachable else { return eventLoop.makeFailedFuture(Unreachable()) }
            return address.dial(on: eventLoop, within: timeout, initialize).map { channel in
                connections.add(channel)
                return channel
            }
        }
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        return Client(address, configuration: configuration, on: eventLoop, in: surroundings)
    }

    /// Whether clients of ``client(configuration:)`` reach the daemon; setting it to false breaks their connections.
    public var isReachable: Bool {
        get { self.connections.isReachable }
        set { self.connections.set(isReachable: newValue) }
    }

    /// Breaks the connection of each client without a goodbye; the clients connect again.
    ///
    /// Wills are applied, but for those of a client that is back before the daemon has noticed. To see a will, set
    /// ``isReachable`` to false.
    public func loseConnections() {
        self.connections.closeAll()
    }

    /// Ends the daemon in order, and waits for that.
    public func stop() async {
        self.server.shutDown()
        await self.running.value
    }
}

extension Client {
    /// A client with a daemon of its own in the test's process; the daemon ends with the client.
    ///
    /// - Parameter configuration: As for any client.
    /// - Returns: The client.
    public static func inMemory(configuration: ClientConfiguration = ClientConfiguration()) -> Client {
        let daemon = TestDaemon()
        let client = daemon.client(configuration: configuration)
        client.connection.signal.observe(value: { _ in }, end: { _ in withExtendedLifetime(daemon) {} })
        return client
    }
}

/// A queue of its own for the tasks of daemons.
private final class DaemonExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "TestDaemon")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The connections of a daemon's clients.
///
/// Guards: a lock guards the state, for a few lines at a time.
private final class Connections: Sendable {
    private struct State {
        var isReachable = true
        var channels: [ObjectIdentifier: any NIOCore.Channel] = [:]
    }

    private let state = Guarded(State())

    var isReachable: Bool { self.state.withLock { $0.isReachable } }

    func add(_ channel: any NIOCore.Channel) {
        let identity = ObjectIdentifier(channel)
        let isReachable = self.state.withLock { state in
            state.channels[identity] = channel
            return state.isReachable
        }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.channels[identity] = nil }
        }
        if !isReachable { channel.close(promise: nil) }
    }

    func set(isReachable: Bool) {
        self.state.withLock { $0.isReachable = isReachable }
        if !isReachable { self.closeAll() }
    }

    func closeAll() {
        for channel in self.state.withLock({ $0.channels }).values { channel.close(promise: nil) }
    }
}

/// The reason why a daemon that was cut off is not reached.
private struct Unreachable: Error, CustomStringConvertible {
    let description = "the test has cut the daemon off"
}
