import Expectations
import Rac
import RacTesting
import Testing

/// The examples of the documentation's pages, line by line.
@Suite struct DocumentationExampleTests {
    @Test("A number in a record and the text of its field, as the first page has it")
    func fields() {
        struct Person: Sendable {
            var name: String
            var age: Int
        }
        let person = Property(Person(name: "Ada", age: 36))
        let text = Property("")
        text.terminal() <~> person.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })
        text.value = "37"
        text.value = "37?"
        expect(person.value.age == 37)
        expect(text.value == "37?")
    }

    @Test("Properties of properties, as the first page has them")
    func properties() {
        let wish = ValidatingProperty("") { $0.count < 3 ? "too short" : nil }
        let isOpen = Property(true)
        let canSave = combineLatest(wish.isValid, isOpen) { $0 && $1 }
        wish.edit.value = "ra"
        wish.edit.value = "rac"
        expect(wish.value == "rac")
        #expect(canSave.value)
    }

    @Test("Values that belong together change at once in one property, and one after the other in two")
    func structure() {
        struct Limits: Sendable {
            var low: Int
            var high: Int
        }
        let limits = Property(Limits(low: 0, high: 10))
        let isRange = limits.map { $0.low < $0.high }
        limits.value = Limits(low: 20, high: 30)
        let heard = Recorder(isRange)
        limits.value = Limits(low: 40, high: 50)
        expect(heard.events == events(true, true))

        let (low, high) = (Property(0), Property(10))
        let ofTwo = Recorder(combineLatest(low, high) { $0 < $1 })
        low.value = 20
        high.value = 30
        expect(ofTwo.events == events(true, false, true))
    }

    @Test("A property that comes by two ways gives observers a mixed state, and one map of it gives none")
    func twoWays() {
        let all = Property(["Ada"])
        let count = all.map(\.count)
        let pair = combineLatest(all, count) { "\($1): \($0.joined(separator: ", "))" }
        let line = all.map { "\($0.count): \($0.joined(separator: ", "))" }
        let (ofPair, ofLine) = (Recorder(pair), Recorder(line))
        all.value.append("Grace")
        expect(ofPair.events == events("1: Ada", "1: Ada, Grace", "2: Ada, Grace"))
        expect(ofLine.events == events("1: Ada", "2: Ada, Grace"))
    }

    @Test("A signal that is taken during a lifetime ends with the object that has it")
    func lifetime() {
        final class Session: Sendable {
            private let lifetime = Lifetime()

            init(_ requests: Signal<String, Never>, log: Property<[String]>) {
                requests.take(during: self.lifetime).onValue { request in log.modify { $0.append(request) } }
            }
        }
        let requests = Subject<String, Never>()
        let log = Property<[String]>([])
        var session: Session? = Session(requests.signal, log: log)
        requests.send("first")
        session = nil
        requests.send("second")
        #expect(session == nil)
        expect(log.value == ["first"])
    }

    @Test("A property follows what two others make")
    func overview() {
        let name = Property("")
        let password = Property("")
        let isComplete = combineLatest(name.signal, password.signal) { !$0.isEmpty && !$1.isEmpty }
        let isButtonEnabled = Property(false)
        isButtonEnabled <~ isComplete.removeDuplicates()
        name.value = "ada"
        password.value = "1815"
        #expect(isButtonEnabled.value)
        password.value = ""
        #expect(!isButtonEnabled.value)
    }

    @Test("Two bound properties agree, and the right one wins at the start")
    func bothWays() {
        let model = Property("Ada")
        let field = Property("")
        field <~> model
        field.value = "Grace"
        expect(model.value == "Grace")
    }

    @Test("A command refuses when its condition says so")
    func command() {
        let isOnline = Property(true)
        let measure = Command<String, Int, Never>(on: .immediate, enabledIf: isOnline) { .just($0.count) }
        let length = Property(0)
        length <~ measure.values
        measure.execute("three")
        isOnline.value = false
        measure.execute("refused")
        expect(length.value == 5)
    }

    @Test("A command's work gives it its types")
    func square() async throws {
        let square = Command { (number: Int) async throws -> Int in number * number }
        let nine = try await square.run(3)
        expect(nine == 9)
    }

    @Test("A command's work is an asynchronous function that sends values")
    func upload() async throws {
        let upload = Command<Int, Double, Never> { parts, progress in
            for part in 1...parts { progress(Double(part) / Double(parts)) }
        }
        let fraction = try await upload.run(4)
        expect(fraction == 1)
    }

    @Test("A signal is waited for as an asynchronous sequence")
    func waiting() async {
        let squares = Signal<Int, Never>(values: 1...4).map { $0 * $0 }
        var sum = 0
        for await square in squares.values { sum += square }
        let first = await squares.first()
        expect(sum == 30)
        expect(first == 1)
    }

    @Test("A test's clock moves a debounced signal on")
    func time() {
        let clock = TestScheduler()
        let typed = Subject<String, Never>()
        let searched = Property("")
        searched <~ typed.signal.debounce(for: .milliseconds(300), on: clock)
        typed.send("r")
        typed.send("rac")
        clock.advance(by: .milliseconds(300))
        expect(searched.value == "rac")
    }

    @Test("A task sleeps on the clock of a test's scheduler")
    func sleeping() async throws {
        let scheduler = TestScheduler()
        let sleeper = Task { try await Task.sleep(for: .seconds(60), clock: scheduler.clock) }
        await scheduler.waitUntilScheduled()
        scheduler.advance(by: .seconds(60))
        try await sleeper.value
        expect(scheduler.now == .seconds(60))
    }

    @Test("A search follows the newest query")
    func search() {
        let query = Property("")
        let results = Property<[String]>([])
        results
            <~ query.signal.skip(1).removeDuplicates().flatMap(.latest) { text in
                Signal<[String], Never>.just([text.uppercased()])
            }
        query.value = "rac"
        expect(results.value == ["RAC"])
    }

    @Test("A failure becomes a value")
    func failure() async {
        enum Unreachable: Error { case host }
        let answer = Signal<String, Unreachable>.fail(.host)
        let shown = answer.replaceError(with: "offline")
        expect(await shown.toArray() == ["offline"])
    }

    @Test("A bag disposes what was put into it when it goes")
    func bag() {
        let ticks = Subject<Int, Never>()
        let total = Property(0)
        var bag: DisposeBag? = DisposeBag()
        if let bag { ticks.signal.scan(0) { $0 + $1 }.onValue { total.value = $0 }.store(in: bag) }
        ticks.send(2)
        ticks.send(3)
        bag = nil
        ticks.send(4)
        #expect(bag == nil)
        expect(total.value == 5)
    }
}
