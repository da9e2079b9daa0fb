extension ContextFolder {
    /// The names of contexts that a shell offers.
    static func names(beginningWith prefix: String) -> [String] {
        let folder = Self(variable: Environment.text)
        return ([.standard] + folder.names).map(\.description).filter { $0.hasPrefix(prefix) }
    }
}
