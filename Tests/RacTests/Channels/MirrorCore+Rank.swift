@testable import Rac

extension MirrorCore {
    /// Shows a value; returns the rank of the change, nil if nothing happened.
    func show(_ value: Value, tag: UInt64, ifStillRanked rank: UInt64) -> UInt64? {
        var shown: UInt64?
        let isShown = self.show(value, tag: tag, ifStillRanked: rank) { shown = $0 }
        return isShown ? shown : nil
    }
}
