public import RacProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONText {
    /// Writes a value as JSON.
    ///
    /// The encoder is that of a client which sets none: ISO 8601 dates, keys in order, slashes as they are.
    ///
    /// - Parameter value: Any value that Foundation's encoder takes.
    /// - Throws: `ClientError` with code `badValue` if there is no JSON for it, such as for a number that is infinite.
    public init(encoding value: some Encodable) throws(ClientError) {
        try self.init(encoding: value, Coders.standard)
    }

    init(encoding value: some Encodable, _ coders: Coders) throws(ClientError) {
        if let text = (value as? any PlainValue)?.json {
            self = text
        } else {
            try self.init(encoding: value, by: coders.encoder)
        }
    }

    init(encoding value: some Encodable, by encoder: JSONEncoder) throws(ClientError) {
        do {
            try self.init(String(decoding: encoder.encode(value), as: UTF8.self))
        } catch {
            throw ClientError(.badValue, "a \(type(of: value)) could not be written as JSON: \(error)", cause: error)
        }
    }

    /// Reads a value.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value.
    /// - Throws: `ClientError` with code `badValue` if the text is another kind of value.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(ClientError) -> Value {
        try self.decoded(as: type, Coders.standard)
    }

    func decoded<Value: Decodable>(as type: Value.Type, _ coders: Coders) throws(ClientError) -> Value {
        // In two steps, because a cast makes a nil that means "not read" a nil of an optional type.
        if let plain = type as? any PlainValue.Type, let read = plain.value(of: self), let value = read as? Value {
            return value
        }
        return try self.decoded(as: type, by: coders.decoder)
    }

    func decoded<Value: Decodable>(as type: Value.Type, by decoder: JSONDecoder) throws(ClientError) -> Value {
        do {
            return try decoder.decode(type, from: self.withBytes { Data($0) })
        } catch {
            throw ClientError(.badValue, "a value is no \(type): \(error.reason)", cause: error)
        }
    }
}

extension Error {
    /// The decoder's message, in few words and without the value.
    fileprivate var reason: String {
        switch self as? DecodingError {
        // Each JSONText is JSON, so the decoder can mean only a number that it cannot represent.
        case .dataCorrupted(let context) where context.debugDescription == "The given data was not valid JSON.":
            "a number is out of the range of its type"
        case .typeMismatch(let type, let context) where context.debugDescription.isEmpty:
            context.path + "the value is no \(type)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.path + context.debugDescription
        case .keyNotFound(let key, let context): context.path + "the key \"\(key.stringValue)\" is missing"
        default: "\(self)"
        }
    }
}

extension DecodingError.Context {
    fileprivate var path: String {
        self.codingPath.isEmpty ? "" : "at \(self.codingPath.map(\.stringValue).joined(separator: ".")): "
    }
}
