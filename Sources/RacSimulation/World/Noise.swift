import RacTesting

/// Chance by place: the tenth frame of the third connection has the same luck, even if other parts are left out.
struct Noise {
    let seed: UInt64

    /// The kinds of decision that chance makes.
    enum Place: UInt64 {
        case upDelay, downDelay, split, tick, commit, wake, tell, work, torn, power, cut, value, rules, body, files
    }

    /// A number from zero to the limit, both included.
    func number(upTo limit: UInt64, at place: Place, _ first: Int, _ second: Int = 0) -> UInt64 {
        guard limit > 0 else { return 0 }
        let mixed = self.seed ^ place.rawValue << 56 ^ UInt64(first) << 32 ^ UInt64(second)
        var random = SeededRandom(seed: mixed)
        return random.next() % (limit + 1)
    }
}
