import LoadGenerator

extension [String: Series] {
    /// The median of one target as a multiple of another's.
    func ratio(_ target: String, _ yardstick: String, of figure: String) -> Double {
        guard let one = self[target], let other = self[yardstick] else { return .nan }
        return one.median(figure) / other.median(figure)
    }
}
