#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The writer and the reader of a client's JSON.
struct Coders: Sendable {
    /// The coders of a client that sets none.
    static let standard = Coders(encoder: .standardOfRac, decoder: .standardOfRac)

    let encoder: JSONEncoder
    let decoder: JSONDecoder
}

extension JSONEncoder {
    /// A new encoder as a client has it by default: ISO 8601 dates to the millisecond, keys in order, slashes as they are.
    ///
    /// The order of the keys makes equal values equal texts.
    public static var standardOfRac: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(.iso8601WithFraction))
        }
        return encoder
    }
}

extension JSONDecoder {
    /// A new decoder as a client has it by default: ISO 8601 dates, with a fraction of a second or without.
    public static var standardOfRac: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = (try? Date.ISO8601FormatStyle.iso8601WithFraction.parse(text))
                ?? (try? Date.ISO8601FormatStyle.iso8601.parse(text))
            {
                return date
            }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a date is no ISO 8601 text")
        }
        return decoder
    }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// With milliseconds, which is as exact as the daemon's times.
    fileprivate static var iso8601WithFraction: Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    }
}
