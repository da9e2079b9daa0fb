/// A value of a TOML file.
enum TOMLItem {
    case string(String)
    case integer(Int)
    case boolean(Bool)
    /// A time, in milliseconds since 1970 UTC.
    case time(Int64)
    case array([TOMLItem])
    case table([String: TOMLItem])
    /// A value that no key takes, by the name of its type.
    case other(String)

    /// The name of the type, as messages have it.
    var type: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .boolean: "a boolean"
        case .time: "a time"
        case .array: "an array"
        case .table: "a table"
        case .other(let name): name
        }
    }
}
