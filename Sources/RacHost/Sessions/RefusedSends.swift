import RacProtocol

/// The refused sends of one terminal that a session remembers, because their client may not have got the answers.
///
/// Each counts in the account of the session's principal. The session forgets the oldest ones where there is no place in the account,
/// or the terminal has too many. It knows the newest number that it has forgotten.
///
/// Guarded by the host's isolation.
///
/// Semantics: protocol.md, "Sessions".
final class RefusedSends {
    /// Refused sends in a row, for one reason and on one connection.
    private struct Run {
        static let byteCount = 40

        let first: SendNumber
        var last: SendNumber
        let code: String
        let connection: ConnectionID
    }

    private let limit: Int
    private let account: RefusalAccount
    /// In the order of their numbers, which no two have in common.
    private var runs: [Run] = []
    /// The session has forgotten which of the sends up to this one were refused.
    private var forgotten = SendNumber.none

    /// - Parameters:
    ///   - limit: The greatest number of runs.
    ///   - account: The account of the session's principal.
    init(limit: Int, account: RefusalAccount) {
        self.limit = limit
        self.account = account
    }

    deinit {
        self.account.changed(by: -self.runs.count * Run.byteCount)
    }

    /// The number of the newest refused send.
    var newest: SendNumber { self.runs.last?.last ?? self.forgotten }

    /// A send of that connection was refused, as an error of that code.
    func refused(_ number: SendNumber, _ code: String, on connection: ConnectionID) {
        self.judged(again: number)
        if let run = self.runs.last, run.last.next == number, run.code == code, run.connection == connection {
            self.runs[self.runs.count - 1].last = number
            return
        }
        while self.runs.count >= self.limit { self.forgetOldest() }
        while !self.account.hasPlace(for: Run.byteCount), !self.runs.isEmpty { self.forgetOldest() }
        guard self.account.hasPlace(for: Run.byteCount) else { return self.forgotten = number }
        self.runs.append(Run(first: number, last: number, code: code, connection: connection))
        self.account.changed(by: Run.byteCount)
    }

    private func forgetOldest() {
        self.forgotten = self.runs.removeFirst().last
        self.account.changed(by: -Run.byteCount)
    }

    /// A send that no later one has overtaken goes out again: the host judges it anew, and the later refusals go.
    func judged(again number: SendNumber) {
        while let last = self.runs.last, last.last >= number {
            self.runs.removeLast()
            if last.first < number {
                self.runs.append(
                    Run(first: last.first, last: number.previous, code: last.code, connection: last.connection)
                )
                return
            }
            self.account.changed(by: -Run.byteCount)
        }
    }

    /// The error for a send that is not above the last applied one; nil if it was applied.
    func error(for number: SendNumber) -> WireError? {
        if let run = self.run(of: number) {
            return WireError(
                code: run.code,
                message: "send \(number.number) was refused before the connection was lost"
            )
        }
        guard number <= self.forgotten else { return nil }
        return WireError(.forgotten, "the session has forgotten whether send \(number.number) was applied")
    }

    /// The error for a send that was refused on the connection over which it comes again; nil if it may be judged anew.
    ///
    /// Its client has the refusal, or will have it. A client does not take `not-bound` for the answer where a binding has
    /// ended alone.
    func error(for number: SendNumber, refusedOn connection: ConnectionID) -> WireError? {
        guard let run = self.run(of: number), run.connection == connection, run.code != ErrorCode.notBound.rawValue
        else {
            return nil
        }
        return WireError(code: run.code, message: "send \(number.number) was refused already")
    }

    private func run(of number: SendNumber) -> Run? {
        self.runs.last { $0.first <= number }.flatMap { number <= $0.last ? $0 : nil }
    }
}
