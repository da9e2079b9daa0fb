import Rac
import RacTesting

/// Calls by the names of other libraries, as people write them first.
///
/// Each finds the declaration that has the right name. Nothing runs them: the declarations are unavailable.
@available(*, unavailable)
private func callsByForeignNames(
    _ signal: Signal<Int, Never>,
    _ property: Property<Int>,
    _ failing: Signal<Int, TestFailure>,
    _ bag: DisposeBag
) {
    final class View { var level = 0 }
    let (view, clock) = (View(), TestScheduler())
    signal.sink { print($0) }.cancel()
    failing.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) }).disposed(by: bag)
    property.sink { print($0) }
    signal.receive(on: ManualScheduler()).eraseToAnyPublisher().map { $0 + 1 }.assign(to: \View.level, on: view)
    _ = signal.combineLatest(property).map { $0 + $1 }
    _ = signal.combineLatest(property) { $0 + $1 }.map { $0 + 1 }
    _ = signal.zip(property).map { $0 + $1 }
    _ = signal.delay(for: .seconds(1), on: clock).delay(for: .seconds(1), scheduler: clock)
    _ = signal.debounce(for: .seconds(1), scheduler: clock).throttle(for: .seconds(1), scheduler: clock, latest: true)
    _ = signal.prepend(0).dropFirst().prefix(3).handleEvents { print($0) }
    _ = failing.mapError { CommandError.failed($0) }

    signal.observeValues { print($0) }
    signal.startWithValues { print($0) }
    signal.subscribe(onNext: { print($0) })
    _ = signal.observe(on: ManualScheduler()).skipRepeats().distinctUntilChanged().startWith(0)
    _ = signal.withLatestFrom(property).map { $0 + $1 }
    _ = signal.flatMapLatest { .just($0) }.do { print($0) }
}

/// Operators of signals on a property.
@available(*, unavailable)
private func operatorsOnAProperty(_ property: Property<Int>, _ view: ReadOnlyProperty<Int>) {
    let clock = TestScheduler()
    _ = property.debounce(for: .seconds(1), on: clock).map { $0 + 1 }
    _ = property.throttle(for: .seconds(1), on: clock)
    _ = property.delay(by: .seconds(1), on: clock)
    _ = property.filter { $0 > 0 }.compactMap { $0 }
    _ = view.compactMap { $0 > 0 ? $0 : nil }
    _ = view.flatMap(.latest) { .just($0) }
    _ = view.scan(0) { $0 + $1 }
    _ = property.skip(1)
    _ = property.take(1)
    _ = property.deliver(on: ManualScheduler())
    _ = property.merge(with: view)
    _ = property.zip(with: view)
}
