/// Numbers by chance that are the same in each run: SplitMix64.
struct Chance {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next(below bound: Int) -> Int {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var word = self.state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ word >> 31).multipliedFullWidth(by: UInt64(bound)).high)
    }
}
