import Glibc
package import Logging
import NIOCore
import NIOPosix
import RacHost
import RacProtocol
import RacStore

/// The daemon: opens the store, listens, and serves until ``shutDown()``.
///
/// A shutdown takes no more from clients, commits everything, notifies the clients, and returns.
package struct Server: Sendable {
    private let configuration: ServerConfiguration
    private let changes: ServerChanges
    private let logger: Logger
    private let onReady: @Sendable ([ListeningAddress]) -> Void
    private let shutdown = AsyncStream.makeStream(of: Never.self)

    /// Makes a daemon that `run` starts.
    ///
    /// - Parameters:
    ///   - configuration: Addresses, storage and limits.
    ///   - changes: Changes of the configuration while the daemon runs.
    ///   - logger: Receives the daemon's log.
    ///   - onReady: Called once, with the addresses that the daemon listens on: real ports instead of 0, and no names.
    package init(
        configuration: ServerConfiguration,
        changes: ServerChanges = ServerChanges(),
        logger: Logger,
        onReady: @escaping @Sendable ([ListeningAddress]) -> Void
    ) {
        self.configuration = configuration
        self.changes = changes
        self.logger = logger
        self.onReady = onReady
    }

    /// Shuts the daemon down: `run` returns once everything is on disk and the clients have been notified.
    ///
    /// Isolation: any thread. An early call takes effect as soon as the daemon is ready, and a second one has none.
    package func shutDown() {
        self.shutdown.continuation.finish()
    }

    /// Serves until ``shutDown()``, or until the task is cancelled.
    ///
    /// A daemon runs once.
    ///
    /// - Throws: ``ServerError`` or `StoreError`, each one line for people: why the daemon cannot start, or why the last
    ///   changes could not be written.
    package func run() async throws {
        FreedMemory.setThresholds()
        let configuration = self.configuration
        let room = FileLimit.raise(for: configuration.maximumConnections, threads: configuration.threads)
        if room.connections < configuration.maximumConnections {
            self.logger.warning(
                "the system's limit of open files leaves room for fewer connections",
                metadata: ["connections": .stringConvertible(room.connections)]
            )
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.threads)
        let readers = NIOThreadPool(numberOfThreads: max(1, configuration.threads / 2))
        readers.start()
        do {
            try await self.serve(configuration, room, on: group, readers)
        } catch {
            try? await Self.end(group, readers)
            throw error
        }
        try await Self.end(group, readers)
    }

    /// Ends the threads; the readers first, because they report to the loops what they have read.
    private static func end(_ group: MultiThreadedEventLoopGroup, _ readers: NIOThreadPool) async throws {
        try await readers.shutdownGracefully()
        try await group.shutdownGracefully()
    }

    /// Copies a data folder's database to a file, while a daemon has it open or not.
    ///
    /// - Returns: False if the copy lacks changes that wait for the daemon's disk, which fails.
    /// - Throws: `StoreError`, one line for people.
    package static func backup(folder: String, to file: String, replaces: Bool = false) throws -> Bool {
        try Store.backup(folder: folder, to: file, replaces: replaces)
    }

    /// The facts about a daemon that an operator looks for first.
    private func facts(_ addresses: [ListeningAddress]) -> Logger.Metadata {
        let storage =
            switch self.configuration.storage {
            case .memory: "memory"
            case .folder(let path, let durability): "\(path), \(durability.rawValue)"
            }
        return [
            "version": "\(self.configuration.name)",
            "addresses": "\(addresses.flatMap(\.places).map(\.description).joined(separator: ", "))",
            "storage": "\(storage)",
            "threads": .stringConvertible(self.configuration.threads),
            "pid": .stringConvertible(getpid()),
        ]
    }

    private func serve(
        _ configuration: ServerConfiguration,
        _ room: Admission.Room,
        on group: MultiThreadedEventLoopGroup,
        _ readers: NIOThreadPool
    ) async throws {
        let certificates = try Certificates(configuration, self.logger)
        let inbox = StoreInbox()
        let eventLoops = Array(group.makeIterator())
        let (loops, store) = try await self.makeLoops(configuration, room, inbox, on: eventLoops, readers)
        do {
            inbox.connect(loops.host)
            let listeners = try await Listeners(
                configuration.addresses,
                loops,
                group,
                rights: configuration.socketRights,
                transport: certificates.transport
            )
            self.logger.info("listening", metadata: self.facts(listeners.addresses))
            self.onReady(listeners.addresses)
            async let _ = self.follow(loops, certificates)
            async let _ = FreedMemory.giveBackRepeatedly(self.logger)
            // A loop that has ended has no clients to judge.
            let judge: @Sendable () async -> Void = { try? await loops.judgeAnew() }
            async let _ = certificates.lookRepeatedly(self.logger, judge)
            async let _ = certificates.look(eachTimeOf: self.changes.renewals, self.logger, judge)
            for await _ in self.shutdown.stream {}
            self.logger.info("shutting down")
            await listeners.close()
            try await loops.stopListening()
        } catch {
            try? await store?.close()
            throw error
        }
        let closing = await self.close(store)
        try await loops.sayGoodbye()
        try closing.get()
    }

    /// Applies changes of the configuration until the daemon ends.
    private func follow(_ loops: Loops, _ certificates: Certificates) async {
        for await change in self.changes.stream {
            // The rules that follow judge all clients, those of an authority that is trusted no more, too.
            _ = certificates.take(change.tls, self.logger)
            // A loop that has ended has no clients to judge.
            try? await loops.take(change.access)
            loops.admission.take(
                FileLimit.raise(for: change.maximumConnections, threads: self.configuration.threads)
            )
        }
    }

    /// Opens the store and makes the loops.
    ///
    /// The stored channels are freed when this returns: the host keeps less of them.
    private func makeLoops(
        _ configuration: ServerConfiguration,
        _ room: Admission.Room,
        _ inbox: StoreInbox,
        on loops: [any EventLoop],
        _ readers: NIOThreadPool
    ) async throws -> (Loops, Store?) {
        let opened = try self.open(inbox)
        do {
            let made = try await Loops(configuration, room, opened, on: loops, readers: readers, logger: self.logger)
            return (made, opened.store)
        } catch {
            try? await opened.store?.close()
            throw error
        }
    }

    private func close(_ store: Store?) async -> Result<Void, any Error> {
        do {
            try await store?.close()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func open(_ inbox: StoreInbox) throws(StoreError) -> OpenedStorage {
        switch self.configuration.storage {
        case .memory: return .memory()
        case .folder(let folder, let durability):
            var channels: [StoredChannel] = []
            let store = try Store.open(
                folder: folder,
                durability: durability.ofStore,
                batches: self.configuration.batches,
                logger: self.logger,
                tell: inbox.receive,
                load: { channels.append($0) }
            )
            return OpenedStorage(
                store: store,
                channels: channels,
                revisions: RevisionSource(floor: store.revisionFloor, reserved: store.reserved)
            )
        }
    }
}
