extension String {
    /// The text with spaces behind it.
    func aligned(left width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - self.count))
    }

    /// The text with spaces before it.
    func aligned(right width: Int) -> String {
        String(repeating: " ", count: max(0, width - self.count)) + self
    }
}
