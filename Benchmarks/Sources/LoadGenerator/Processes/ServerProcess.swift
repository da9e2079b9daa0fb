import CBenchmark
import FoundationEssentials
import Glibc

/// A server that the benchmarks started; killed when it is released.
package final class ServerProcess {
    /// The longest time for a server to get ready, and to end.
    private static let patience = 60.0
    /// The number of ports that are tried, if another program was quicker to take one.
    private static let attempts = 3

    package let server: Server
    /// From the start of the program until it had taken a first client.
    package let startSeconds: Double
    private let process: pid_t
    private var hasEnded = false

    /// Starts a peer for a purpose and waits until it takes clients.
    ///
    /// It runs on `core`, or anywhere. Its settings, data and log are in `folder`, which is made if it is not there.
    ///
    /// - Throws: If it ends or takes too long, with what it said.
    package convenience init(
        _ peer: Peer,
        for purpose: Peer.Purpose,
        _ protection: Protection = Protection(),
        core: Int?,
        folder: String
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for attempt in 1...Self.attempts {
            do {
                try self.init(peer, for: purpose, protection, at: .free(), core: core, folder: folder)
                return
            } catch  where attempt < Self.attempts { continue }
        }
        throw SetupError("\(peer.name) did not get ready")
    }

    private init(
        _ peer: Peer,
        for purpose: Peer.Purpose,
        _ protection: Protection,
        at endpoint: Endpoint,
        core: Int?,
        folder: String
    ) throws {
        let site = Peer.Site(port: endpoint.port, folder: folder, protection: protection)
        let command = try peer.command(for: purpose, at: site)
        let log = "\(folder)/log"
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let start = Moment.now
        self.process = cbenchmark_spawn(arguments, Int32(core ?? -1), log)
        guard self.process > 0 else { throw SystemError.last("fork") }
        self.server = Server(
            endpoint: endpoint,
            process: ProcessFigures(self.process),
            certificateFile: protection.certificate?.certificateFile,
            dialect: peer.dialect(protection)
        )
        do {
            try Self.waitUntilReady(self.server, self.process)
            self.startSeconds = start.secondsUntilNow
        } catch {
            kill(self.process, SIGKILL)
            waitpid(self.process, nil, 0)
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw SetupError("\(command.joined(separator: " ")): \(error)\n\(said.suffix(1000))")
        }
    }

    deinit {
        guard !self.hasEnded else { return }
        kill(self.process, SIGKILL)
        waitpid(self.process, nil, 0)
    }

    /// Ends the server in order.
    package func stop() throws {
        kill(self.process, SIGTERM)
        let start = Moment.now
        while waitpid(self.process, nil, WNOHANG) == 0 {
            guard start.secondsUntilNow < Self.patience else { throw ProtocolError.late("the end of a server") }
            usleep(1000)
        }
        self.hasEnded = true
    }

    private static func waitUntilReady(_ server: Server, _ process: pid_t) throws {
        let start = Moment.now
        while !Self.takesClients(server) {
            guard waitpid(process, nil, WNOHANG) == 0 else { throw ProtocolError.ended }
            guard start.secondsUntilNow < Self.patience else { throw ProtocolError.late("a server's start") }
            usleep(1000)
        }
    }

    /// Whether a client is taken now.
    ///
    /// A server that still loads refuses, says that it loads, or keeps silent.
    private static func takesClients(_ server: Server) -> Bool {
        guard let client = try? Client(0, of: server, server.makeTLS()) else { return false }
        let connection = client.connection
        var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)
        var arrivals = Arrivals()
        let start = Moment.now
        while start.secondsUntilNow < Self.patience {
            guard connection.waitReadable(milliseconds: 100) else { continue }
            guard (try? client.receive(into: &buffer, &arrivals)) != nil else { return false }
            guard arrivals.list.contains(.opened) else { continue }
            // It leaves in order and sees the server's end too: nothing of it is left when the measurement begins.
            connection.endSending()
            while (try? client.receive(into: &buffer, &arrivals)) != nil {}
            return true
        }
        return false
    }
}
