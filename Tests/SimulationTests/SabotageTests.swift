import Expectations
import RacSimulation
import Testing

/// The checks can fail: each of these mistakes is found, and soon.
@Suite(.threadOfItsOwn) struct SabotageTests {
    struct Case: CustomTestStringConvertible {
        let sabotage: Sabotage
        /// The promises that it may break, whichever is looked at first.
        let breaks: Set<Rule>
        /// The number of steps, over all histories, that find the fault.
        var steps = 0
        /// A seed whose history finds the fault, so that no other one need be looked at.
        ///
        /// Plans that are made up otherwise need another seed, which the test looks for and prints.
        var seed: UInt64?
        /// Whether every daemon has rules.
        var isClosed = false
        /// A kept plan that finds the fault, where plans that are made up seldom do.
        var plan: String?

        var testDescription: String { self.sabotage.rawValue }
    }

    static let cases = [
        Case(sabotage: .noHoldBack, breaks: [.agreement], steps: 3_000, seed: 2),
        Case(sabotage: .earlyAcknowledgement, breaks: [.durability], steps: 600, seed: 1),
        Case(sabotage: .echo, breaks: [.noEcho], steps: 120, seed: 1),
        Case(sabotage: .revisionsReused, breaks: [.revisions], steps: 3_000, seed: 1),
        Case(sabotage: .forgottenEnd, breaks: [.ends], steps: 600, seed: 1),
        Case(sabotage: .forgottenSession, breaks: [.exactlyOnce], steps: 6_000, seed: 2),
        Case(sabotage: .shortSession, breaks: [.exactlyOnce], steps: 12_000, seed: 23),
        Case(sabotage: .noCause, breaks: [.links, .exactlyOnce, .answers], steps: 3_000, seed: 17),
        Case(sabotage: .conflatedPair, breaks: [.slowReaders, .ends], steps: 12_000, seed: 11),
        Case(sabotage: .reordered, breaks: [.oneOrder, .slowReaders], steps: 3_000, seed: 1),
        Case(sabotage: .lostValue, breaks: [.slowReaders, .agreement], steps: 600, seed: 4),
        Case(sabotage: .lostAnswer, breaks: [.answers, .rest], steps: 600, seed: 1),
        Case(sabotage: .noCondition, breaks: [.conditions], steps: 3_000, seed: 1),
        Case(sabotage: .halfPut, breaks: [.allOrNothing], steps: 600, seed: 3),
        Case(sabotage: .byeIsLoss, breaks: [.lostConnections, .answers, .exactlyOnce], steps: 12_000, seed: 106),
        Case(sabotage: .lostWill, breaks: [.lostConnections], steps: 3_000, seed: 4),
        Case(sabotage: .lossIsEnd, breaks: [.lostConnections], steps: 600, seed: 2),
        Case(sabotage: .tornDisk, breaks: [.crash, .durability], steps: 6_000, seed: 5),
        Case(sabotage: .uncheckedFiles, breaks: [.filesInPlace], steps: 6_000, seed: 50),
        Case(sabotage: .blindWatch, breaks: [.watches], steps: 1_200, seed: 4),
        Case(sabotage: .lostBacklog, breaks: [.watches], steps: 3_000, seed: 13),
        Case(sabotage: .longFrame, breaks: [.frames], steps: 600, seed: 1),
        Case(sabotage: .unaskedCompression, breaks: [.rest], steps: 3_000, seed: 5),
        Case(sabotage: .wrongCompression, breaks: [.rest, .oneOrder, .answers, .watches], steps: 3_000, seed: 7),
        Case(sabotage: .neverPaused, breaks: [.slowReaders], steps: 6_000, seed: 12),
        Case(sabotage: .lostInbox, breaks: [.answers, .rest, .watches], steps: 6_000, seed: 10),
        Case(sabotage: .seldomTurns, breaks: [.turns], steps: 6_000, seed: 9),
        Case(sabotage: .earlySuccessor, breaks: [.exactlyOnce], steps: 6_000, seed: 57),
        Case(sabotage: .lostProgress, breaks: [.commands], steps: 6_000, seed: 14),
        Case(sabotage: .lostState, breaks: [.commands], steps: 6_000, seed: 1),
        Case(sabotage: .lostFailure, breaks: [.commands], steps: 12_000, seed: 28),
        Case(sabotage: .alwaysConcurrent, breaks: [.commands], steps: 12_000, seed: 15),
        Case(sabotage: .forgottenPlace, breaks: [.commands], steps: 6_000, seed: 15),
        Case(sabotage: .forgottenPlace, breaks: [.commands], plan: "programs-stand-by-for-the-host-of-a-command"),
        Case(sabotage: .earlyEnd, breaks: [.commands], steps: 6_000, seed: 28),
        Case(sabotage: .trustedNumber, breaks: [.exactlyOnce], steps: 12_000, seed: 176),
        Case(sabotage: .newestForAll, breaks: [.exactlyOnce], steps: 12_000, seed: 23),
        Case(sabotage: .trustedNotBound, breaks: [.exactlyOnce], plan: "not-bound-behind-the-next-bind"),
        Case(sabotage: .renumbered, breaks: [.exactlyOnce], steps: 12_000, seed: 2),
        Case(sabotage: .unconditionalRewrite, breaks: [.crash], steps: 12_000, seed: 46),
        Case(
            sabotage: .forgottenTerminal,
            breaks: [.exactlyOnce],
            plan: "paired-send-into-a-channel-that-was-made-again"
        ),
        Case(sabotage: .forgottenArrival, breaks: [.agreement], plan: "arrival-held-back-when-the-connection-was-lost"),
        Case(sabotage: .reconnectionEcho, breaks: [.noEcho, .agreement], steps: 3_000, seed: 11),
        Case(sabotage: .tellingRefusal, breaks: [.secrets], steps: 600, seed: 1, isClosed: true),
        Case(sabotage: .grantsAll, breaks: [.rights], steps: 600, seed: 1, isClosed: true),
        Case(
            sabotage: .otherPrincipal,
            breaks: [.rights, .standing, .secrets, .answers],
            steps: 600,
            seed: 2,
            isClosed: true
        ),
        Case(
            sabotage: .deafReload,
            breaks: [.rights, .standing, .secrets, .judged],
            steps: 1_200,
            seed: 1,
            isClosed: true
        ),
        Case(sabotage: .lostWithdrawal, breaks: [.judged], steps: 3_000, seed: 3, isClosed: true),
        Case(sabotage: .staleWatch, breaks: [.judged, .watches], steps: 3_000, seed: 3, isClosed: true),
        Case(sabotage: .wideReload, breaks: [.standing], steps: 600, seed: 1, isClosed: true),
    ]

    @Test("A deliberate mistake is found within a limited number of steps", arguments: Self.cases)
    func found(_ mistake: Case) throws {
        let found = try Self.violation(ofPlan: mistake) ?? Self.violation(ofSeed: mistake)
        let violation = try #require(found, "nothing was found in \(mistake.steps) steps")
        #expect(mistake.breaks.contains(violation.rule), "\(violation)")
    }

    private static func violation(ofPlan mistake: Case) throws -> Violation? {
        try KeptPlans.all().first { $0.name == mistake.plan }
            .flatMap { History($0.plan, sabotage: mistake.sabotage).violation }
    }

    /// The violation of the known seed, or of the first one that finds any.
    private static func violation(ofSeed mistake: Case) -> Violation? {
        let stepsOfOne = 60
        let seeds = (1...100_000 as ClosedRange<UInt64>).prefix(mistake.steps / stepsOfOne)
        let known = mistake.seed.map { [$0] }?.filter(seeds.contains) ?? []
        for seed in known + seeds {
            let sabotage = mistake.sabotage
            let history = History(seed: seed, steps: stepsOfOne, isClosed: mistake.isClosed, sabotage: sabotage)
            guard let violation = history.violation else { continue }
            if seed != mistake.seed { print("seed \(seed) finds \(mistake.testDescription)") }
            return violation
        }
        return nil
    }

    @Test("Every deliberate mistake is looked for")
    func complete() {
        expect(Set(Self.cases.map(\.sabotage)) == Set(Sabotage.allCases))
    }
}
