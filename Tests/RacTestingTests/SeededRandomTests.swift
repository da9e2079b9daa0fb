import Expectations
import RacTesting
import Testing

@Suite struct SeededRandomTests {
    @Test(
        "The numbers are those of SplitMix64",
        arguments: [
            (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
            (1_234_567, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]),
        ] as [(UInt64, [UInt64])]
    )
    func knownNumbers(seed: UInt64, expected: [UInt64]) {
        var random = SeededRandom(seed: seed)
        expect(expected.map { _ in random.next() } == expected)
    }

    @Test("One seed gives the same numbers each time, another seed others")
    func repeats() {
        var first = SeededRandom(seed: 7)
        var second = SeededRandom(seed: 7)
        var other = SeededRandom(seed: 8)
        let numbers = first.bytes(count: 64)
        expect(second.bytes(count: 64) == numbers)
        #expect(other.bytes(count: 64) != numbers)
    }

    @Test("A chance of one in n comes true about once in n times")
    func frequency() {
        var random = SeededRandom(seed: 1)
        let hits = (0..<10_000).count { _ in random.once(in: 10) }
        #expect((800...1_200).contains(hits))
    }
}

@Suite struct TestSeedTests {
    @Test("RAC_SEED names the seed, and a text that is no number names none")
    func environment() {
        expect(TestSeed.seed(in: ["RAC_SEED": "42"]) == 42)
        expect(TestSeed.seed(in: ["RAC_SEED": "18446744073709551615"]) == .max)
        expect(TestSeed.seed(in: ["RAC_SEED": "-1"]) == nil)
        expect(TestSeed.seed(in: [:]) == nil)
    }

    @Test("RAC_STRESS multiplies the work, and no text makes it less than once")
    func effort() {
        expect(TestEffort.factor(in: ["RAC_STRESS": "20"]) == 20)
        expect(TestEffort.factor(in: ["RAC_STRESS": "0"]) == 1)
        expect(TestEffort.factor(in: ["RAC_STRESS": "much"]) == 1)
        expect(TestEffort.factor(in: [:]) == 1)
        expect(TestEffort.rounds(5).count == 5 * TestEffort.factor)
    }

    @Test("A run has one seed, and each generator of the run begins its numbers anew")
    func ofThisRun() {
        var first = SeededRandom.ofThisRun
        var second = SeededRandom.ofThisRun
        expect(first.next() == second.next())
        expect(first.hint == "again with RAC_SEED=\(TestSeed.ofThisRun)")
    }
}
