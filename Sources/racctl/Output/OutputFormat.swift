import ArgumentParser

/// The format of results.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people and simple scripts.
    case text
    /// One JSON object a line.
    case json
    /// One list of YAML.
    case yaml
    /// Names only.
    case name
    /// Values only.
    case value
}
