import RacProtocol

/// The members of a JSON object by their names, of which none stands twice.
struct JSONMembers {
    enum Fault: Error, CustomStringConvertible {
        case noJSON(JSONError)
        case noObject
        case twice(String)
        case noText

        var description: String {
            switch self {
            case .noJSON(let error): "\(error)"
            case .noObject: "the value is no object"
            case .twice(let name): "the member \(TokenFault.shown(name)) stands twice"
            case .noText: "a member's name has one half of a surrogate pair"
            }
        }
    }

    /// The limit on nested objects and arrays.
    private static let deepest = 16
    /// The last second of the year 9999, since 1970 UTC.
    private static let lastSecond: UInt64 = 253_402_300_799

    private let bytes: [UInt8]
    private var places: [ExactText: Range<Int>] = [:]

    init(_ bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        let whole = try Self.checked { () throws(JSONError) in
            try JSONScanner.soleValue(in: bytes.span, maximumDepth: Self.deepest)
        }
        var scanner = JSONScanner(at: whole.lowerBound, maximumDepth: Self.deepest)
        guard scanner.accept(UInt8(ascii: "{"), bytes.span) else { throw .noObject }
        guard !scanner.accept(UInt8(ascii: "}"), bytes.span) else { return }
        repeat {
            guard let name = scanner.readString(bytes.span) else { throw .noText }
            let place = try Self.checked { () throws(JSONError) in
                try scanner.expect(UInt8(ascii: ":"), bytes.span)
                return try Self.skipValue(&scanner, bytes.span)
            }
            guard self.places.updateValue(place, forKey: ExactText(name)) == nil else { throw .twice(name) }
        } while scanner.accept(UInt8(ascii: ","), bytes.span)
    }

    private static func checked<Value>(_ body: () throws(JSONError) -> Value) throws(Fault) -> Value {
        do {
            return try body()
        } catch {
            throw .noJSON(error)
        }
    }

    private static func skipValue(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        scanner.skipSpace(bytes)
        let start = scanner.position
        try scanner.skipValue(bytes, inside: 1)
        return start..<scanner.position
    }

    func has(_ name: String) -> Bool { self.place(name) != nil }

    private func place(_ name: String) -> Range<Int>? { self.places[ExactText(name)] }

    /// A string; nil for every other value.
    func string(_ name: String) -> String? { self.place(name).flatMap(self.string) }

    /// An array of strings; nil for every other value.
    func strings(_ name: String) -> [String]? {
        guard let places = self.elements(name) else { return nil }
        let strings = places.compactMap(self.string)
        return strings.count == places.count ? strings : nil
    }

    /// A moment in milliseconds since 1970 UTC, of a number of seconds; nil for every other value and year.
    func moment(_ name: String) -> Int64? {
        guard let place = self.place(name) else { return nil }
        var scanner = JSONScanner(at: place.lowerBound)
        if let whole = scanner.readInteger(self.bytes.span), scanner.position == place.upperBound {
            guard !whole.isNegative, whole.magnitude <= Self.lastSecond else { return nil }
            return Int64(whole.magnitude) * 1000
        }
        scanner = JSONScanner(at: place.lowerBound)
        guard let seconds = scanner.readDouble(self.bytes.span), scanner.position == place.upperBound,
            (0...Double(Self.lastSecond)).contains(seconds)
        else { return nil }
        return Int64(seconds * 1000)
    }

    /// The members of an object; nil for every other value.
    func object(_ name: String) throws(Fault) -> JSONMembers? {
        guard let place = self.place(name), self.bytes[place.lowerBound] == UInt8(ascii: "{") else { return nil }
        return try JSONMembers(Array(self.bytes[place]))
    }

    /// The members of each object of an array; nil for every other value.
    func objects(_ name: String) throws(Fault) -> [JSONMembers]? {
        guard let places = self.elements(name) else { return nil }
        var objects: [JSONMembers] = []
        for place in places { objects.append(try JSONMembers(Array(self.bytes[place]))) }
        return objects
    }

    private func string(at place: Range<Int>) -> String? {
        var scanner = JSONScanner(at: place.lowerBound)
        return scanner.readString(self.bytes.span)
    }

    private func elements(_ name: String) -> [Range<Int>]? {
        guard let place = self.place(name) else { return nil }
        var scanner = JSONScanner(at: place.lowerBound, maximumDepth: Self.deepest)
        guard scanner.accept(UInt8(ascii: "["), self.bytes.span) else { return nil }
        guard !scanner.accept(UInt8(ascii: "]"), self.bytes.span) else { return [] }
        var elements: [Range<Int>] = []
        repeat {
            guard let element = try? Self.skipValue(&scanner, self.bytes.span) else { return nil }
            elements.append(element)
        } while scanner.accept(UInt8(ascii: ","), self.bytes.span)
        return elements
    }
}
