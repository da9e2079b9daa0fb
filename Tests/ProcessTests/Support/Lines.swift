import Foundation
import Glibc
import Synchronization

/// The lines that a program writes, as they come.
final class Lines: Sendable {
    private struct State {
        var rest: [UInt8] = []
        var lines: [String] = []
        var taken = 0
        var isEnded = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Reads a descriptor to its end on a thread of its own, and closes it.
    init(of descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                if count > 0 { self.append(bytes[..<count]) }
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            close(descriptor)
            self.end()
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>) {
        self.change { state in
            state.rest += bytes
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                state.rest.removeFirst(end + 1)
            }
        }
    }

    private func end() {
        self.change { state in
            if !state.rest.isEmpty { state.lines.append(String(decoding: state.rest, as: UTF8.self)) }
            state.isEnded = true
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = self.state.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for wake in waiting { wake() }
    }

    /// The next line; nil at the end.
    func next() async -> String? {
        await self.first { (state: inout State) -> String?? in
            if state.taken < state.lines.count {
                state.taken += 1
                return .some(state.lines[state.taken - 1])
            }
            return state.isEnded ? .some(nil) : nil
        }
    }

    /// All lines, once the program has written its last.
    func all() async -> [String] {
        await self.first { $0.isEnded ? $0.lines : nil }
    }

    /// The first answer to a question that is asked again whenever something has come.
    private func first<Answer: Sendable>(_ ask: @escaping @Sendable (inout State) -> Answer?) async -> Answer {
        await withCheckedContinuation { self.ask(ask, $0) }
    }

    private func ask<Answer: Sendable>(
        _ ask: @escaping @Sendable (inout State) -> Answer?,
        _ continuation: CheckedContinuation<Answer, Never>
    ) {
        let answer = self.state.withLock { state in
            let answer = ask(&state)
            if answer == nil { state.waiting.append { self.ask(ask, continuation) } }
            return answer
        }
        if let answer { continuation.resume(returning: answer) }
    }
}
