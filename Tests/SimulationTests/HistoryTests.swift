import Expectations
import RacSimulation
import RacTesting
import Testing
import rac_simulate

/// Made-up histories of clients, network, daemon and disk keep every promise of docs/guarantees.md.
@Suite(.threadOfItsOwn) struct HistoryTests {
    @Test("New random histories keep every promise")
    func fresh() {
        var random = SeededRandom.ofThisRun
        for number in TestEffort.rounds(50) {
            let steps = Int.random(in: 10...90, using: &random)
            Self.expectKept(History(seed: random.next(), steps: steps, isClosed: number % 5 == 0), random.hint)
        }
    }

    @Test("Long histories keep every promise")
    func long() {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(2) { Self.expectKept(History(seed: random.next(), steps: 800), random.hint) }
    }

    @Test("Plans that once broke a promise keep it")
    func kept() throws {
        let plans = try KeptPlans.all()
        #expect(!plans.isEmpty)
        for kept in plans { Self.expectKept(History(kept.plan), kept.name) }
    }

    @Test("A plan is kept as `--keep` writes it, with each record on one line")
    func lines() throws {
        for kept in try KeptPlans.all() { expect(try PlanFile.text(of: kept.plan) == kept.text, "\(kept.name)") }
        var plan = History(seed: 1, steps: 3).plan
        plan.seed = .max
        let lines = try PlanFile.text(of: plan).split(separator: "\n")
        #expect(lines.contains("\"seed\":\(UInt64.max),"))
        expect(lines.filter { $0.contains("\"number\":") }.count == 3)
    }

    private static func expectKept(_ history: History, _ hint: String) {
        guard let violation = history.violation else { return }
        let shortest = history.shrunk()
        let lines = ["\(violation), \(hint), seed \(history.plan.seed), \(history.plan.steps.count) steps"]
        Issue.record(Comment(rawValue: (lines + shortest.timeline()).joined(separator: "\n")))
    }
}

/// The parts that every history has.
@Suite(.threadOfItsOwn) struct SimulatorTests {
    @Test("A seed always makes up one history")
    func determinism() {
        for seed in 1...6 as ClosedRange<UInt64> {
            let history = History(seed: seed, steps: 60)
            let again = History(seed: seed, steps: 60)
            expect(history.plan == again.plan)
            expect(history.timeline() == again.timeline())
        }
    }

    @Test("A history with steps left out is a history")
    func leftOut() {
        for seed in 1...6 as ClosedRange<UInt64> {
            var plan = History(seed: seed, steps: 60).plan
            plan.steps = plan.steps.filter { $0.number.isMultiple(of: 3) }
            expect(History(plan).violation == nil, "seed \(seed)")
        }
    }

    @Test("A shortened failing history still breaks its promise")
    func shrinking() throws {
        let failing = (1...200 as ClosedRange<UInt64>).lazy
            .map { History(seed: $0, steps: 60, sabotage: .echo) }
            .first { $0.violation != nil }
        let shortest = try #require(failing).shrunk()
        expect(shortest.violation?.rule == .noEcho)
        #expect(shortest.plan.steps.count <= 3)
        let timeline = shortest.timeline()
        #expect(timeline.contains { $0.contains("C") && $0.contains("→ D  next t=") })
        expect(timeline.last?.contains("BROKEN no echo") == true)
    }
}
