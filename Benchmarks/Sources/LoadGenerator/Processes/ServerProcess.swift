import CBenchmark
import FoundationEssentials
import Glibc

/// A server that the benchmarks started, with the one behind it if there is any; killed when it is released.
package final class ServerProcess {
    /// The longest time for a server to get ready, and to end.
    private static let patience = 60.0
    /// The number of ports that are tried, if another program was quicker to take one.
    private static let attempts = 3

    package let server: Server
    /// From the start of the program until it had taken a first client.
    package let startSeconds: Double
    /// In the order in which they were started.
    private var processes: [pid_t] = []

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
        let commands = try peer.commands(for: purpose, at: site)
        let log = "\(folder)/log"
        let start = Moment.now
        var processes: [pid_t] = []
        do {
            for command in commands { processes.append(try Self.spawn(command, core, log)) }
            self.server = Server(
                endpoint: endpoint,
                process: ProcessFigures(processes),
                certificateFile: protection.certificate?.certificateFile,
                dialect: peer.dialect(for: purpose, protection)
            )
            try Self.waitUntilReady(self.server, processes)
            self.startSeconds = start.secondsUntilNow
            self.processes = processes
        } catch {
            for process in processes { Self.kill(process) }
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            let command = commands.map { $0.joined(separator: " ") }.joined(separator: "; ")
            throw SetupError("\(command): \(error)\n\(said.suffix(1000))")
        }
    }

    deinit {
        for process in self.processes { Self.kill(process) }
    }

    /// Ends the server in order, the one in front first.
    package func stop() throws {
        while let process = self.processes.last {
            Glibc.kill(process, SIGTERM)
            let start = Moment.now
            while waitpid(process, nil, WNOHANG) == 0 {
                guard start.secondsUntilNow < Self.patience else { throw ProtocolError.late("the end of a server") }
                usleep(1000)
            }
            self.processes.removeLast()
        }
    }

    private static func spawn(_ command: [String], _ core: Int?, _ log: String) throws -> pid_t {
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let process = cbenchmark_spawn(arguments, Int32(core ?? -1), log)
        guard process > 0 else { throw SystemError.last("fork") }
        return process
    }

    private static func kill(_ process: pid_t) {
        Glibc.kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private static func waitUntilReady(_ server: Server, _ processes: [pid_t]) throws {
        let start = Moment.now
        while !Self.takesClients(server) {
            for process in processes where waitpid(process, nil, WNOHANG) != 0 { throw ProtocolError.ended }
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
