import RacConnection
import RacProtocol

/// The way to a part of a value: `.temp`, `.rooms[0].name`, `."odd key"`, `.["odd key"]`; empty for the whole value.
struct ValuePath: Equatable {
    private enum Step: Equatable {
        case member([UInt8])
        case element(Int)
    }

    private var steps: [Step] = []

    /// The whole value.
    static let whole = ValuePath()

    private init() {}

    /// Takes a path from the beginning of a text, if it has one.
    init(from text: inout Substring) throws(ExpressionError) {
        guard text.first == "." else { return }
        if text.dropFirst().first == "[" { text.removeFirst() }
        while let step = try Self.step(from: &text) { self.steps.append(step) }
    }

    private static func step(from text: inout Substring) throws(ExpressionError) -> Step? {
        switch text.first {
        case ".": try self.member(from: &text)
        case "[": try self.element(from: &text)
        default: nil
        }
    }

    private static func member(from text: inout Substring) throws(ExpressionError) -> Step {
        text.removeFirst()
        guard text.first != "\"" else { return try self.quotedMember(from: &text) }
        let name = text.prefix { !" .[=!<>".contains($0) }
        guard !name.isEmpty else {
            throw ExpressionError(description: "the name of a member stands behind a dot: .temp")
        }
        text.removeFirst(name.count)
        return .member(Array(name.utf8))
    }

    /// The shortest beginning of the text that is a JSON string.
    private static func quotedMember(from text: inout Substring) throws(ExpressionError) -> Step {
        for end in text.indices.dropFirst() where text[end] == "\"" {
            guard let string = try? JSONText(String(text[...end])), case .string(let name)? = try? JSONTree(string)
            else {
                continue
            }
            text = text[text.index(after: end)...]
            return .member(name)
        }
        throw ExpressionError(description: "the quoted name has no end")
    }

    private static func element(from text: inout Substring) throws(ExpressionError) -> Step {
        if text.dropFirst().first == "\"" {
            text.removeFirst()
            let member = try self.quotedMember(from: &text)
            guard text.popFirst() == "]" else { throw ExpressionError(description: "a ] is missing: .[\"odd name\"]") }
            return member
        }
        let digits = text.dropFirst().prefix { $0 != "]" }
        guard let index = Int(digits), index >= 0, text.dropFirst(digits.count + 1).first == "]" else {
            throw ExpressionError(
                description: "in [] stands the place of an element, counted from 0, or a quoted name: .list[0], "
                    + ".[\"odd name\"]"
            )
        }
        text.removeFirst(digits.count + 2)
        return .element(index)
    }

    /// The part of a value that the path leads to, if there is one.
    func part(of value: JSONTree) -> JSONTree? {
        self.steps.reduce(value) { value, step in
            switch (value, step) {
            case (.object(let members), .member(let name)): members[name]
            case (.array(let elements), .element(let index)): index < elements.count ? elements[index] : nil
            default: nil
            }
        }
    }
}

/// A fault in an expression.
struct ExpressionError: Error, Equatable, CustomStringConvertible {
    /// A sentence that names the fault and a remedy.
    let description: String
}
