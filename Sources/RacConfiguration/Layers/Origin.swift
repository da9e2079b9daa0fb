/// The source of a setting that holds.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    case standard
    case file(String)
    /// A variable, by its name.
    case environment(String)
    /// An option, by its name.
    case option(String)

    package var description: String {
        switch self {
        case .standard: "default"
        case .file(let path): "file \(path)"
        case .environment(let name): "environment \(name)"
        case .option(let name): "option \(name)"
        }
    }
}
