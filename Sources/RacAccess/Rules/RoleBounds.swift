/// A bound of a role, by its key in the configuration.
///
/// Semantics: protocol.md, "Bounds of roles".
package enum RoleBound: String, CaseIterable, Sendable {
    /// Connections of one principal at a time.
    case connections
    /// Messages of one connection that are read in a second.
    case messagesPerSecond = "messages-per-second"
    /// Bytes of one connection that are read in a second.
    case bytesPerSecond = "bytes-per-second"
    /// Bindings, watches and observed commands of one connection together.
    case bindings
    /// Channels that one principal has made and that are still there.
    case channels
    /// Bytes of one value.
    case valueBytes = "value-bytes"

    /// The numbers that the bound may have.
    package var range: ClosedRange<Int> {
        switch self {
        case .connections, .messagesPerSecond: 1...1_000_000
        case .bytesPerSecond, .valueBytes: 1...1_000_000_000
        case .bindings, .channels: 0...1_000_000
        }
    }
}

/// The bounds of a role, or of a principal with its roles; nil for each that is not there.
package struct RoleBounds: Hashable, Sendable {
    package var connections: Int?
    package var messagesPerSecond: Int?
    package var bytesPerSecond: Int?
    package var bindings: Int?
    package var channels: Int?
    package var valueBytes: Int?

    package init() {}

    /// The number of a bound.
    package subscript(_ bound: RoleBound) -> Int? {
        get { self[keyPath: Self.path(of: bound)] }
        set { self[keyPath: Self.path(of: bound)] = newValue }
    }

    private static func path(of bound: RoleBound) -> WritableKeyPath<RoleBounds, Int?> {
        switch bound {
        case .connections: \.connections
        case .messagesPerSecond: \.messagesPerSecond
        case .bytesPerSecond: \.bytesPerSecond
        case .bindings: \.bindings
        case .channels: \.channels
        case .valueBytes: \.valueBytes
        }
    }

    /// The bounds of a principal with several roles: the least of each, as a denial wins over every grant.
    init(of roles: [AccessRole]) {
        for bound in RoleBound.allCases { self[bound] = roles.compactMap { $0.bounds[bound] }.min() }
    }

    /// The part that bounds how fast a connection is read.
    package var rate: ReadRate {
        ReadRate(messagesPerSecond: self.messagesPerSecond, bytesPerSecond: self.bytesPerSecond)
    }
}

/// The messages and bytes of one connection that are read in a second; nil for each without a bound.
package struct ReadRate: Hashable, Sendable {
    package var messagesPerSecond: Int?
    package var bytesPerSecond: Int?

    package init(messagesPerSecond: Int? = nil, bytesPerSecond: Int? = nil) {
        self.messagesPerSecond = messagesPerSecond
        self.bytesPerSecond = bytesPerSecond
    }

    package var isBounded: Bool { self.messagesPerSecond != nil || self.bytesPerSecond != nil }
}
