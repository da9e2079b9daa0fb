extension Dictionary {
    /// Gives the memory of removed entries back when few of many are left.
    ///
    /// A dictionary keeps the memory for as many entries as it has ever had. Few means a sixteenth, so the entries that are moved
    /// cost less than the removals before.
    mutating func releaseMemory() {
        guard self.capacity >= 4096, self.count <= self.capacity / 16 else { return }
        self = Dictionary(uniqueKeysWithValues: self.lazy.map { ($0, $1) })
    }
}
