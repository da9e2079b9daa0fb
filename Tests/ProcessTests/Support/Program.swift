import CSpawn
import Foundation
import Glibc
import Synchronization

/// How a program ended.
struct Ended: Equatable {
    /// The exit code; 128 and the signal's number if a signal ended it, as shells have it.
    var status: Int32
    /// All that it wrote to standard output.
    var output: [String]
    /// All that it wrote to standard error.
    var errors: [String]
}

/// The input of a program.
enum Input {
    case nothing
    case text(String)
    case pipe
}

/// One of the built programs, running.
final class Program: Sendable {
    /// Where the build put the programs: beside the bundle of these tests.
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    static func path(of name: String) -> String {
        self.folder.appending(path: name).path
    }

    private static let starting = Mutex(())

    let output: Lines
    let errors: Lines
    private let process: Int32
    private let exit: Exit
    /// The descriptor that feeds standard input; nil when it is closed.
    private let input: Mutex<Int32?>

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:], input: Input = .nothing) throws {
        // A pipe that another program got between its making and its closing would have no end while that one runs.
        let (pipes, process) = try Self.starting.withLock { _ in
            let pipes = try (input: Pipe(), output: Pipe(), errors: Pipe())
            let ends = [pipes.input.reading, pipes.output.writing, pipes.errors.writing]
            defer { for end in ends { close(end) } }
            return (pipes, try Self.spawn(path, arguments, environment, standardFiles: ends))
        }
        self.process = process
        self.exit = Exit(of: self.process)
        self.output = Lines(of: pipes.output.reading)
        self.errors = Lines(of: pipes.errors.reading)
        self.input = Mutex(pipes.input.writing)
        switch input {
        case .pipe: break
        case .nothing: self.endInput()
        case .text(let text):
            self.type(text)
            self.endInput()
        }
    }

    deinit {
        self.endInput()
    }

    /// Starts a file with these three descriptors as its standard files, and with signals as they are by default.
    private static func spawn(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        standardFiles: [Int32]
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in standardFiles.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // The sockets that NIO accepts go to a program, too, and a daemon of another test could not close them.
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(standardFiles.count))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + settings { free(word) } }
        var process: Int32 = 0
        let failure = posix_spawn(&process, path, &actions, &attributes, &words, &settings)
        guard failure == 0 else { throw SystemFailure(what: "posix_spawn \(path)", number: failure) }
        return process
    }

    /// Writes to the program's standard input: so little that it fits into a pipe.
    func type(_ text: String) {
        self.input.withLock { descriptor in
            guard let descriptor else { return }
            _ = text.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    func endInput() {
        self.input.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// Whether the program has taken over what a signal does to it, or has ended.
    func handles(_ signal: Int32) -> Bool {
        let file = "/proc/\(self.process)/status"
        guard let status = try? String(contentsOfFile: file, encoding: .utf8) else { return true }
        let masks = status.split(separator: "\n").filter { ["SigBlk:", "SigIgn:", "SigCgt:"].contains($0.prefix(7)) }
        return masks.contains { line in
            let mask = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
            return mask & 1 << (UInt64(signal) - 1) != 0
        } || status.contains("State:\tZ")
    }

    var isRunning: Bool { !self.exit.isOver }

    /// Sends a signal to this process, if it has not ended.
    func signal(_ number: Int32) {
        self.exit.signal(number)
    }

    /// Waits for the end.
    func ended() async -> Ended {
        Ended(status: await self.exit.status(), output: await self.output.all(), errors: await self.errors.all())
    }
}
