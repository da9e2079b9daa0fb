import RacConnection
import RacProtocol

extension CommandContext {
    /// Runs a body over a connection, and again over another one after each loss, unless `--once` forbids it.
    ///
    /// The last connection ends with a `bye`, so that no will of a command that leaves in order is applied.
    ///
    /// - Parameters:
    ///   - report: Takes the loss, then nil for the next connection. By default both go to standard error.
    ///   - body: Throws when the connection is lost. Any other error ends the command.
    /// - Throws: The first error of `body` before a connection was lost, and any later one that is no loss.
    func withConnections(
        reporting report: ((ClientError?) -> Void)? = nil,
        _ body: (DaemonConnection) async throws -> Void
    ) async throws {
        let report = report ?? self.report
        var connection = self.connection
        var pauses = ReconnectPauses(longest: Self.longestPause)
        var wasLost = false
        var token = self.configuration.token
        while true {
            let start = ContinuousClock.now
            do {
                try await body(connection)
                return await self.leave(connection)
            } catch let error as ClientError {
                // A daemon that has not noticed the loss still has the old connection's commands.
                let isEnd = wasLost ? await connection.hasReachedLimit : false
                let isLoss = (isEnd || self.isLoss(error, with: token)) && !self.endsWithConnection
                guard isLoss || (wasLost && error.code == .alreadyHosted) else {
                    await self.leave(connection)
                    throw error
                }
                if isLoss { report(error) }
            } catch {
                await self.leave(connection)
                throw error
            }
            wasLost = true
            pauses.lost(after: ContinuousClock.now - start)
            await connection.close()
            connection = try await self.connect(&pauses, &token, report)
            report(nil)
        }
    }

    private static var longestPause: Duration { .seconds(30) }

    /// Says bye over a later connection; the first one is the runner's.
    private func leave(_ connection: DaemonConnection) async {
        if connection !== self.connection { await connection.close() }
    }

    /// Whether another connection may go better: the daemon is away, or has refused a token that has been replaced.
    private func isLoss(_ error: ClientError, with token: AccessToken?) -> Bool {
        error.isLoss || (error.code == .unauthenticated && self.presentToken != token)
    }

    /// The errors of an attempt that may be over soon, as an attempt before was successful.
    ///
    /// The daemon has as many connections as it may, or somebody renews its certificate or the client's files.
    private static let refusalsOfNow: [ClientError.Code] = [.limit, .untrusted, .invalidCertificate]

    private func connect(
        _ pauses: inout ReconnectPauses,
        _ token: inout AccessToken?,
        _ report: (ClientError?) -> Void
    ) async throws -> DaemonConnection {
        var isRefusalTold = false
        let lost = ContinuousClock.now
        while true {
            // At random below the bound, so that the clients of a daemon do not all come back at once.
            try await Task.sleep(for: pauses.next(away: ContinuousClock.now - lost) * Double.random(in: 0...1))
            token = self.presentToken
            do {
                return try await self.another(with: token)
            } catch  where Self.refusalsOfNow.contains(error.code) {
                if !isRefusalTold { report(error) }
                isRefusalTold = true
            } catch {
                guard self.isLoss(error, with: token) || error.code == .timedOut else { throw error }
            }
        }
    }

    private func report(_ error: ClientError?) {
        guard let error else { return self.reportConnected() }
        var failure = CommandFailure(error)
        failure.message += "; connecting again"
        failure.help = nil
        failure.report(as: self.format)
    }

    private func reportConnected() {
        guard self.format != .json else { return }
        Descriptors.error.write("racctl: connected again\n")
    }
}

extension ClientError {
    /// Whether the daemon may be there again later.
    var isLoss: Bool {
        [.connectionLost, .unreachable, .shuttingDown].contains(self.code)
    }
}
