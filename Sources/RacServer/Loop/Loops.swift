import Logging
import NIOCore
import NIOPosix
import RacAccess
import RacWeb

/// The event loops of a daemon: connections on all of them, the host on the first.
struct Loops: Sendable {
    let host: LoopReference<HostShell>
    let connections: [LoopReference<ConnectionLoop>]
    let admission: Admission

    init(
        _ configuration: ServerConfiguration,
        _ room: Admission.Room,
        _ storage: OpenedStorage,
        on loops: [any EventLoop],
        readers: NIOThreadPool,
        logger: Logger
    ) async throws {
        let first = loops[0]
        self.host = try await first.submit {
            LoopReference(storage.makeShell(configuration, on: first), on: first)
        }.get()
        let epoch = try await self.host.ask(\.epoch)
        let admission = Admission(room)
        self.admission = admission
        let accounts = LeftAccounts()
        let sessions = WebSessions(mark: DaemonMark.make(configuration.storage))
        var connections: [LoopReference<ConnectionLoop>] = []
        for (number, loop) in loops.enumerated() {
            let numbers = ConnectionNumbers(loop: number, loopCount: loops.count)
            let link = try await loop.submit { [host] in
                let connectionLoop = ConnectionLoop(
                    configuration,
                    epoch: epoch,
                    host: host,
                    numbers: numbers,
                    admission: admission,
                    accounts: accounts,
                    dialects: Dialects(configuration, sessions),
                    loop: loop,
                    logger: logger
                )
                return LoopReference(connectionLoop, on: loop)
            }.get()
            let poll = try await SocketPoll.start(on: loop)
            try await link.ask { $0.poll = poll.value }
            try await link.ask { $0.readers = readers }
            if configuration.leavesCores {
                let polling = try await BusyPolling.start(on: loop)
                try await link.ask { $0.polling = polling.value }
            }
            connections.append(link)
        }
        self.connections = connections
        try await self.host.ask { [connections] in $0.connect(connections) }
    }

    /// The connections of one of these event loops.
    func connections(of loop: any EventLoop) -> ConnectionLoop? {
        self.connections.first { $0.loop === loop }?.value
    }

    /// Takes other rules: first for new clients, then for those that are connected.
    func take(_ access: AccessPolicy?) async throws {
        for link in self.connections { try await link.ask { $0.access = access } }
        try await self.host.ask { $0.take(access) }
    }

    /// Judges the clients that are connected by the present rules: the proofs of some may count no more.
    func judgeAnew() async throws {
        try await self.host.ask { $0.judgeAnew() }
    }

    /// Takes no more from clients; the store has every change that was taken.
    func stopListening() async throws {
        for link in self.connections { try await link.ask { $0.stopListening() } }
        try await self.host.ask { $0.stopListening() }
        // A turn of the loop later the last tick has ended.
        try await self.host.ask { _ in }
    }

    /// Notifies all clients of the end, behind their last answers, and waits for them to go, but not for long.
    func sayGoodbye() async throws {
        let allGone = self.connections.map { link in link.loop.flatSubmit { link.value.sayGoodbye() } }
        for gone in allGone { try await gone.get() }
        try await self.host.ask { $0.stop() }
    }
}
