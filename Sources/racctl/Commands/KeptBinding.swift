import RacConnection
import RacProtocol

/// A binding that is made again after each lost connection: what the program sends goes out once, and what others send
/// comes once.
struct KeptBinding: Sendable {
    /// How the command lets go of the binding.
    enum Departure {
        /// It unbinds, which drops the will.
        case leaving
        /// It ends the connection without a bye, so that the will is applied.
        case lost
    }

    /// How it ended.
    struct Outcome {
        /// How the channel or the binding ended; nil if the command has left it.
        var end: TerminalEnd?
        /// The number of sends that the ended channel refused.
        var unsent = 0
        /// Why the last of the other refused sends was refused.
        var refusal: CommandFailure?
        /// The number of sends that had no answer when the command was cancelled.
        var unanswered = 0
    }

    let channel: ChannelName
    let slot = BindingSlot()
    private let request: Bind

    init(_ request: Bind) {
        self.channel = request.channel
        self.request = request
    }

    /// Binds until the channel ends or the command leaves, and passes each value on.
    ///
    /// - Parameters:
    ///   - context: The first connection, and how results are written.
    ///   - show: Gets each value of another program.
    /// - Returns: How the binding ended.
    /// - Throws: The error that ended the command, or one of `show`.
    func run(in context: CommandContext, _ show: (Valuation) async throws -> Void) async throws -> Outcome {
        var outcome = Outcome()
        var rest: BindingRest?
        do {
            try await context.withConnections { connection in
                let binding = try await connection.bind(self.request, after: rest)
                await self.slot.enter(binding)
                do {
                    try await self.follow(binding, &outcome, context.format, show)
                    if Task.isCancelled { rest = await binding.rest() }
                } catch {
                    if await self.slot.isAbandoned { return }
                    await self.slot.lost(binding)
                    rest = await binding.rest()
                    throw error
                }
            }
        } catch {
            await self.slot.close()
            guard Task.isCancelled else { throw error }
        }
        await self.slot.close()
        outcome.unanswered = rest?.unansweredCount ?? 0
        return outcome
    }

    private func follow(
        _ binding: ChannelBinding,
        _ outcome: inout Outcome,
        _ format: OutputFormat,
        _ show: (Valuation) async throws -> Void
    ) async throws {
        for try await event in binding {
            switch event {
            case .value(let value): try await show(value)
            case .refused(let reason) where reason.error.code == ErrorCode.terminated.rawValue: outcome.unsent += 1
            case .refused(let reason):
                var failure = CommandFailure(ClientError(reason), of: self.channel)
                if outcome.refusal != nil { failure.help = nil }
                failure.report(as: format)
                outcome.refusal = failure
            case .ended(let end): outcome.end = end
            }
        }
    }

    /// Waits for the answers to what was sent, over as many connections as that takes, then lets go.
    func finish(as departure: Departure = .leaving) async {
        while let binding = await self.slot.current() {
            do {
                try await binding.settled()
                return await self.letGo(of: binding, departure)
            } catch  where error.code == .cancelled || error.code == .outcomeUnknown {
                return await self.letGo(of: binding, departure)
            } catch {
                await self.slot.lost(binding)
            }
        }
    }

    private func letGo(of binding: ChannelBinding, _ departure: Departure) async {
        switch departure {
        case .leaving: await binding.leave()
        case .lost:
            await self.slot.abandon()
            await binding.abandon()
        }
    }
}

extension CommandFailure {
    /// Lines that came behind the end of their channel; nil if there are none.
    init?(unsent count: Int, _ channel: ChannelName, _ end: ChannelEnd) {
        guard count > 0 else { return nil }
        let how = end == .completed ? "has completed" : "has ended"
        let lines = count == 1 ? "1 line was" : "\(count) lines were"
        self.init(.conflict, code: "terminated", "\(lines) not sent: \(channel) \(how)")
    }
}
