import RacProtocol

/// The refused sends of one terminal that a session remembers, because their client may not have got the answers.
///
/// Each counts in the account of all refusals. The session forgets the oldest ones where there is no place in the account,
/// or the terminal has too many. It knows the newest number that it has forgotten.
///
/// Guarded by the host's isolation.
///
/// Semantics: protocol.md, "Sessions".
final class RefusedSends {
    /// Refused sends in a row, for one reason.
    private struct Run {
        static let byteCount = 32

        let first: SendNumber
        var last: SendNumber
        let code: String
    }

    private let limit: Int
    private let account: MemoryAccount
    /// In the order of their numbers, which no two have in common.
    private var runs: [Run] = []
    /// The session has forgotten which of the sends up to this one were refused.
    private var forgotten = SendNumber.none

    /// - Parameters:
    ///   - limit: The greatest number of runs.
    ///   - account: The account of all refusals.
    init(limit: Int, account: MemoryAccount) {
        self.limit = limit
        self.account = account
    }

    deinit {
        self.account.changed(by: -self.runs.count * Run.byteCount)
    }

    /// The number of the newest refused send.
    var newest: SendNumber { self.runs.last?.last ?? self.forgotten }

    /// A send was refused, as an error of that code.
    func refused(_ number: SendNumber, _ code: String) {
        self.judged(again: number)
        if let last = self.runs.indices.last, self.runs[last].last.next == number, self.runs[last].code == code {
            self.runs[last].last = number
            return
        }
        while self.runs.count >= self.limit { self.forgetOldest() }
        while !self.account.hasPlace(for: Run.byteCount), !self.runs.isEmpty { self.forgetOldest() }
        guard self.account.hasPlace(for: Run.byteCount) else { return self.forgotten = number }
        self.runs.append(Run(first: number, last: number, code: code))
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
                self.runs.append(Run(first: last.first, last: number.previous, code: last.code))
                return
            }
            self.account.changed(by: -Run.byteCount)
        }
    }

    /// The error for a send that is not above the last applied one; nil if it was applied.
    func error(for number: SendNumber) -> WireError? {
        if let run = self.runs.last(where: { $0.first <= number }), number <= run.last {
            return WireError(
                code: run.code,
                message: "send \(number.number) was refused before the connection was lost"
            )
        }
        guard number <= self.forgotten else { return nil }
        return WireError(.forgotten, "the session has forgotten whether send \(number.number) was applied")
    }
}
