import Foundation
import RacClient
import Synchronization
import Testing

/// A folder for one test and the programs that it starts; none of them outlives it.
final class Workplace: Sendable {
    let folder: URL
    private let programs = Mutex<[Program]>([])

    /// Does something in a workplace of its own.
    static func with(_ body: (Workplace) async throws -> Void) async throws {
        let workplace = try Workplace()
        defer { workplace.clear() }
        try await body(workplace)
    }

    private init() throws {
        self.folder = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
    }

    private func clear() {
        for program in self.programs.withLock({ $0 }) { program.signal(SIGKILL) }
        try? FileManager.default.removeItem(at: self.folder)
    }

    func path(_ name: String) -> String {
        self.folder.appending(path: name).path
    }

    func start(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: Input = .nothing
    ) throws -> Program {
        let program = try Program(path, arguments, environment: environment, input: input)
        self.programs.withLock { $0.append(program) }
        return program
    }

    /// `racd serve` with these arguments, which may not get ready.
    func racd(_ arguments: [String], environment: [String: String] = [:]) throws -> Program {
        try self.start(Program.path(of: "racd"), ["serve"] + arguments, environment: environment)
    }

    /// A daemon that is ready, on a free port and this workplace's data folder.
    func daemon(_ arguments: String...) async throws -> Daemon {
        let racd = try self.racd(["--listen", "127.0.0.1:0", "--data", self.path("data")] + arguments)
        return try await Daemon(racd, in: self)
    }
}

/// A racd that is ready.
struct Daemon {
    let program: Program
    /// Its ready line.
    let line: String
    /// The options of racctl that name this daemon.
    let url: String
    /// The TCP port on which it listens.
    let port: UInt16
    private let workplace: Workplace

    init(_ program: Program, in workplace: Workplace) async throws {
        self.program = program
        self.workplace = workplace
        self.line = try #require(await program.output.next(), "racd ended before it was ready")
        let address = try #require(self.line.split(separator: " ").first { $0.hasPrefix("tcp=") }?.dropFirst(4))
        self.url = "rac://\(address)"
        self.port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
    }

    /// Starts racctl for this daemon.
    func start(_ arguments: String..., input: Input = .nothing) throws -> Program {
        try self.start(arguments, input: input)
    }

    func start(_ arguments: [String], input: Input = .nothing) throws -> Program {
        let environment = ["RACD_SERVER": self.url]
        let path = Program.path(of: "racctl")
        return try self.workplace.start(path, arguments, environment: environment, input: input)
    }

    /// Runs racctl for this daemon to its end.
    @discardableResult
    func run(_ arguments: String..., input: Input = .nothing) async throws -> Ended {
        try await self.start(arguments, input: input).ended()
    }

    /// Runs racctl, which must succeed, and returns what it printed.
    @discardableResult
    func succeed(
        _ arguments: String...,
        input: Input = .nothing,
        location: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let ended = try await self.start(arguments, input: input).ended()
        #expect(ended.status == 0, "\(arguments): \(ended)", sourceLocation: location)
        #expect(ended.errors == [], "\(arguments)", sourceLocation: location)
        return ended.output
    }

    /// Starts a bind that has printed the channel's value, so that it is bound.
    func bound(
        _ channel: String,
        _ value: String,
        _ arguments: String...,
        input: Input = .nothing
    ) async throws -> Program {
        let program = try self.start(["bind", channel] + arguments, input: input)
        try #require(await program.output.next() == value, "\(arguments)")
        return program
    }

    /// Ends the daemon and waits for that.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) async -> Ended {
        self.program.signal(signal)
        return await self.program.ended()
    }
}
