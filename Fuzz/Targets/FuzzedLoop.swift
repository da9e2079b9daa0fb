import Logging
import NIOCore
import NIOEmbedded
import RacAccess
import RacWeb

@testable import RacServer

/// A daemon in memory, on a loop whose time passes as the input says.
struct FuzzedLoop {
    let loop = EmbeddedEventLoop()
    let connections: ConnectionLoop
    private let shell: HostShell

    init(_ configure: (inout ServerConfiguration) -> Void) {
        var configuration = ServerConfiguration(name: "racd/fuzz", storage: .memory)
        configure(&configuration)
        self.shell = OpenedStorage.memory().makeShell(configuration, on: self.loop)
        self.connections = ConnectionLoop(
            configuration,
            epoch: self.shell.epoch,
            host: LoopReference(self.shell, on: self.loop),
            numbers: ConnectionNumbers(loop: 0, loopCount: 1),
            admission: Admission(limit: configuration.maximumConnections),
            accounts: LeftAccounts(),
            dialects: Dialects(configuration, WebSessions(mark: "0f")),
            loop: self.loop,
            logger: Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        self.shell.connect([LoopReference(self.connections, on: self.loop)])
    }

    /// The daemon ends, and the time that was asked for never comes.
    func end() {
        self.shell.stop()
        try? self.loop.syncShutdownGracefully()
    }
}
