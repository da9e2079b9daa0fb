import Foundation
import Logging
import RacAccess
import RacServer
import Testing

/// A daemon in this process that knows principals, at a socket in a workplace.
actor ClosedDaemon {
    nonisolated let workplace: Workplace
    nonisolated let url: String
    private var running: (server: Server, task: Task<Void, any Error>)?
    private var changes = ServerChanges()

    /// Does something with a daemon that has these rules, and ends it.
    static func with(_ access: AccessPolicy, _ body: (ClosedDaemon) async throws -> Void) async throws {
        try await Workplace.with { workplace in
            let daemon = ClosedDaemon(workplace)
            try await daemon.start(access)
            do {
                try await body(daemon)
            } catch {
                try? await daemon.stop()
                throw error
            }
            try await daemon.stop()
        }
    }

    private init(_ workplace: Workplace) {
        self.workplace = workplace
        self.url = "unix:\(workplace.path("s"))"
    }

    private func start(_ access: AccessPolicy) async throws {
        let storage = ServerConfiguration.Storage.folder(self.workplace.path("data"), .off)
        var configuration = ServerConfiguration(name: "racd/test", storage: storage)
        configuration.addresses = [.unix(path: self.workplace.path("s"))]
        configuration.access = access
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (ready, continuation) = AsyncStream<Void>.makeStream()
        self.changes = ServerChanges()
        let server = Server(configuration: configuration, changes: self.changes, logger: logger) { _ in
            continuation.yield()
        }
        let task = Task {
            defer { continuation.finish() }
            try await server.run()
        }
        if await ready.first(where: { true }) == nil { try await task.value }
        self.running = (server, task)
    }

    private func stop() async throws {
        guard let running = self.running else { return }
        self.running = nil
        running.server.shutDown()
        try await running.task.value
    }

    /// Ends it, and starts it again with other rules.
    func restart(_ access: AccessPolicy) async throws {
        try await self.stop()
        try await self.start(access)
    }

    /// Gives it other rules while it runs.
    func take(_ access: AccessPolicy) {
        self.changes.apply(.init(access: access, maximumConnections: 10_000))
    }

    /// The path of a file with this token.
    nonisolated func tokenFile(_ token: String) throws -> String {
        let path = self.workplace.path("token of \(token)")
        try Self.write(token, to: path)
        return path
    }

    /// Writes a token into a file that is its owner's alone from the first moment on.
    static func write(_ token: String, to path: String) throws {
        let new = "\(path) \(UUID().uuidString)"
        try Data("\(token)\n".utf8).write(to: URL(filePath: new))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new)
        guard rename(new, path) == 0 else { throw SystemFailure(what: "rename \(new)", number: errno) }
    }

    /// Starts racctl with a token; nil for none.
    nonisolated func start(_ arguments: [String], as token: String?, input: Input = .nothing) throws -> Program {
        var environment = ["RACD_SERVER": self.url, "XDG_CONFIG_HOME": self.workplace.path("config")]
        environment["RACCTL_TOKEN_FILE"] = try token.map(self.tokenFile) ?? ""
        let path = Program.path(of: "racctl")
        return try self.workplace.start(path, arguments, environment: environment, input: input)
    }

    /// Runs racctl with a token to its end.
    @discardableResult
    nonisolated func run(_ arguments: String..., as token: String?, input: Input = .nothing) async throws -> Ended {
        try await self.start(arguments, as: token, input: input).ended()
    }
}

extension AccessPolicy {
    /// Rules for `root`, who may do everything, and for `kiosk`, who may do what stands in `room`, with these tokens.
    ///
    /// - Parameters:
    ///   - root: The token of `root`.
    ///   - kiosk: The token of `kiosk`.
    ///   - lacking: A verb that `kiosk` does not have.
    /// - Returns: The rules.
    /// - Throws: `RuleError`.
    static func tokens(
        root: String = "root",
        kiosk: String = "kiosk",
        lacking: Verb? = nil
    ) throws -> AccessPolicy {
        let (all, room, figures) = (try RulePattern("**"), try RulePattern("room/**"), try RulePattern("$sys/**"))
        var grants = Dictionary(uniqueKeysWithValues: Verb.allCases.map { ($0, [room]) })
        grants[.read]?.append(figures)
        if let lacking { grants[lacking] = nil }
        let roles = [
            AccessRole(
                name: "root",
                grants: Dictionary(uniqueKeysWithValues: Verb.allCases.map { ($0, [all]) }),
                isAdministrator: true
            ),
            AccessRole(name: "kiosk", grants: grants),
        ]
        let principals = try [("root", root), ("kiosk", kiosk)].map { name, token in
            Principal(name: try PrincipalName(name), roles: [name], tokens: [.init(hash: TokenHash(of: token))])
        }
        return try AccessPolicy(roles: roles, principals: principals)
    }
}
