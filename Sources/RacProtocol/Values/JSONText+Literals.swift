/// Literals of numbers, booleans, arrays and objects are their JSON.
///
/// There is none of a string, which might mean the text itself: write `.string("loud")`. There is none of nil, which might
/// mean no value: write `.null`.
extension JSONText: ExpressibleByIntegerLiteral {
    /// The number.
    public init(integerLiteral value: Int) {
        self = .integer(value)
    }
}

extension JSONText: ExpressibleByFloatLiteral {
    /// The number, which is finite.
    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "JSON has no number for \(value).")
        let digits = value.description
        self.init(unchecked: digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
    }
}

extension JSONText: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self.init(unchecked: value ? "true" : "false")
    }
}

extension JSONText: ExpressibleByArrayLiteral {
    /// The array of these values.
    public init(arrayLiteral elements: JSONText...) {
        self.init(joining: elements.map(\.text), between: "[", and: "]")
    }
}

extension JSONText: ExpressibleByDictionaryLiteral {
    /// The object with these keys, each once and in this order.
    public init(dictionaryLiteral elements: (String, JSONText)...) {
        precondition(Set(elements.map(\.0)).count == elements.count, "An object has each key once.")
        let members = elements.map { "\(JSONText.string($0.0).text):\($0.1.text)" }
        self.init(joining: members, between: "{", and: "}")
    }
}

extension JSONText {
    private init(joining parts: [String], between opening: String, and closing: String) {
        let text = opening + parts.joined(separator: ",") + closing
        do {
            try self.init(text)
        } catch {
            preconditionFailure("A literal is nested deeper than \(Self.maximumDepth) levels.")
        }
    }
}
