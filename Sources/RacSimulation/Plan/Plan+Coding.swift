package import RacAccess
package import RacProtocol
package import RacStore

// Plans that broke a promise are kept as JSON; these types of other modules are in it.

extension KeyedDecodingContainer {
    /// Plans that were kept before there were bounds have those of racd.
    func decode(_ type: Bounds.Type, forKey key: Key) throws -> Bounds {
        try self.decodeIfPresent(type, forKey: key) ?? Bounds()
    }

    /// Plans that were kept before there was a choice have plain frames only.
    func decode(_ type: Framing.Type, forKey key: Key) throws -> Framing {
        try self.decodeIfPresent(type, forKey: key) ?? .plain
    }
}

extension Verb: Codable {}
extension Role: Codable {}
extension ChannelMode: Codable {}
extension Durability: Codable {}

extension ChannelName: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.text)
    }
}

extension CommandName: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.text)
    }
}
