/// Random numbers that a seed repeats: SplitMix64, which passes BigCrush and whose state is one word.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    /// The seed; it gives the same numbers again.
    package let seed: UInt64

    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        self.state = seed
    }

    package mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededRandom {
    /// True once in this number of calls, on average.
    package mutating func once(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &self) == 0
    }

    /// Bytes of which each value is equally likely.
    package mutating func bytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
