internal import OpenCombine
internal import Rac

extension CoreCase {
    /// A command whose work is one value, with somebody who watches the values and whether it may be executed.
    static let command = CoreCase(
        name: "command, executed",
        operations: 100_000,
        contenders: [
            Contender(.rac) {
                let tally = Tally()
                let command = Command<Int, Int, Never>(on: .immediate) { .just($0 &+ 1) }
                command.values.onValue { tally.add($0) }
                command.isEnabled.onValue { tally.add($0 ? 1 : 2) }
                command.isExecuting.onValue { tally.add($0 ? 1 : 2) }
                return { count in
                    for value in 0..<count { command.execute(value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let tally = Tally()
                let command = HandmadeCommand()
                let handles = Unchecked([
                    command.values.sink { tally.add($0) },
                    command.isEnabled.sink { tally.add($0 ? 1 : 2) },
                    command.isExecuting.sink { tally.add($0 ? 1 : 2) },
                ])
                return { count in
                    for value in 0..<count { command.execute(value) }
                    return withExtendedLifetime(handles) { tally.sum }
                }
            },
        ]
    )
}

/// The least that acts like a command: one at a time, notified when it runs; nothing of refusals, failures and replay.
///
/// `@unchecked Sendable` holds because a contender uses what it has prepared on one thread at a time.
private final class HandmadeCommand: @unchecked Sendable {
    let isExecuting = CurrentValueSubject<Bool, Never>(false)
    let isEnabled = CurrentValueSubject<Bool, Never>(true)
    let values = PassthroughSubject<Int, Never>()
    private let inputs = PassthroughSubject<Int, Never>()
    private var handle: AnyCancellable?

    init() {
        self.handle = self.inputs
            .flatMap { [unowned self] in self.work(for: $0) }
            .sink { [unowned self] in self.values.send($0) }
    }

    func execute(_ input: Int) {
        guard self.isEnabled.value else { return }
        self.isExecuting.send(true)
        self.isEnabled.send(false)
        self.inputs.send(input)
    }

    private func work(for input: Int) -> AnyPublisher<Int, Never> {
        Just(input &+ 1)
            .handleEvents(receiveCompletion: { [unowned self] _ in
                self.isExecuting.send(false)
                self.isEnabled.send(true)
            })
            .eraseToAnyPublisher()
    }
}
