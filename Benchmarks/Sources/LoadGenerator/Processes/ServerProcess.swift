import CBenchmark
import FoundationEssentials
import Glibc

/// A server that the benchmarks started, on the servers' core; killed when it is released.
package final class ServerProcess {
    /// How long a server may take to say that it is ready, and to end.
    private static let patience = 20.0

    package let server: Server
    private let process: pid_t
    private let output: Int32
    private var hasEnded = false

    /// Starts a program and waits until it says where it listens: a line with `tcp=ADDRESS:PORT`.
    ///
    /// Its standard error goes to the file `log`. Throws if it ends, says something else or takes too long.
    package init(_ kind: Server.Kind, command: [String], core: Int?, log: String) throws {
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var output: Int32 = -1
        self.process = cbenchmark_spawn(arguments, Int32(core ?? -1), log, &output)
        guard self.process > 0 else { throw SystemError.last("fork") }
        self.output = output
        do {
            let line = try Self.readLine(from: output)
            let word = line.split { $0 == " " || $0 == "\n" }.first { $0.hasPrefix("tcp=") }
            guard let endpoint = word.flatMap({ Endpoint($0.dropFirst(4)) }) else {
                let complaint = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw SetupError("\(command[0]) did not get ready: \(line)\(complaint.suffix(1000))")
            }
            self.server = Server(kind, at: endpoint, process: ProcessFigures(self.process))
        } catch {
            kill(self.process, SIGKILL)
            waitpid(self.process, nil, 0)
            close(output)
            throw error
        }
    }

    deinit {
        if !self.hasEnded {
            kill(self.process, SIGKILL)
            waitpid(self.process, nil, 0)
        }
        close(self.output)
    }

    /// Ends the server in order.
    package func stop() throws {
        kill(self.process, SIGTERM)
        let start = Moment.now
        while waitpid(self.process, nil, WNOHANG) == 0 {
            guard start.secondsUntilNow < Self.patience else { throw ProtocolError.late("the end of a server") }
            usleep(5000)
        }
        self.hasEnded = true
    }

    /// What comes up to the first line break, the end or the end of patience.
    private static func readLine(from descriptor: Int32) throws -> String {
        let start = Moment.now
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"), start.secondsUntilNow < Self.patience {
            var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&readable, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1 else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
