import ArgumentParser

/// The format of results.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people and simple scripts.
    case text
    /// One JSON object a line.
    case json
}
