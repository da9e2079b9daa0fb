import RacConnection
import RacProtocol

/// The condition that `racctl wait` waits for.
enum WaitExpression: Equatable {
    /// A state of the channel, with any value.
    enum Standing: String, CaseIterable {
        case exists
        case completed
        case failed
        case ended
        case deleted
    }

    /// A value, or a part of one, compared with another.
    struct Comparison: Equatable {
        enum Operator: String, CaseIterable {
            // The longer ones first: `<` is also how `<=` begins.
            case equal = "=="
            case unequal = "!="
            case atMost = "<="
            case atLeast = ">="
            case below = "<"
            case above = ">"
        }

        let path: ValuePath
        let comparison: Operator
        let operand: JSONTree
    }

    case standing(Standing)
    case value(Comparison)

    init(_ written: String) throws(ExpressionError) {
        let text = written.trimmed
        guard !text.isEmpty else { throw ExpressionError(description: "the empty string is written \"\"") }
        if let standing = Standing(rawValue: String(text)) {
            self = .standing(standing)
        } else if let meant = Standing.meant(by: String(text)) {
            throw ExpressionError(
                description: "'\(text)' is no state. Did you mean '\(meant.rawValue)'? The string is '\"\(text)\"'"
            )
        } else {
            self = .value(try Comparison(text))
        }
    }
}

extension WaitExpression.Standing {
    private static let misspelt: [Self: Set<String>] = [
        .exists: ["exist", "existed"], .completed: ["complete", "completes"], .failed: ["fail", "fails"],
        .ended: ["end", "ends"], .deleted: ["delete", "deletes"],
    ]

    /// The state that a word was probably meant to name, which a wait for the string would never notice.
    fileprivate static func meant(by word: String) -> Self? {
        let lowercased = word.lowercased()
        return Self.allCases.first { $0.rawValue == lowercased || Self.misspelt[$0]?.contains(lowercased) == true }
            ?? Self.allCases.first {
                // One letter is wrong, but not the first: mailed is another word than failed.
                $0.rawValue.first == lowercased.first && abs($0.rawValue.count - lowercased.count) <= 1
                    && Spelling.distance($0.rawValue, lowercased) == 1
            }
    }
}

extension WaitExpression.Comparison {
    fileprivate init(_ text: Substring) throws(ExpressionError) {
        var rest = text
        self.path = try ValuePath(from: &rest)
        rest = rest.trimmed
        let comparison = Operator.allCases.first { rest.hasPrefix($0.rawValue) }
        guard comparison != nil || self.path == .whole && !"=!".contains(rest.first ?? "=") else {
            let operators = Operator.allCases.map(\.rawValue).joined(separator: " ")
            throw ExpressionError(description: "the comparisons are \(operators)")
        }
        let operand = comparison.map { rest.dropFirst($0.rawValue.count).trimmed } ?? rest
        self.comparison = comparison ?? .equal
        self.operand = try Self.operand(operand, of: self.comparison)
    }

    private static func operand(_ text: Substring, of comparison: Operator) throws(ExpressionError) -> JSONTree {
        guard !text.isEmpty else { throw ExpressionError(description: "nothing stands behind \(comparison.rawValue)") }
        let operand = try Self.tree(String(text))
        switch (comparison, operand) {
        case (.equal, _), (.unequal, _), (_, .number), (_, .string): return operand
        default:
            throw ExpressionError(description: "\(comparison.rawValue) compares with a number or a string")
        }
    }

    /// The value of a text: JSON, or one bare word as a string.
    ///
    /// Anything else is rather a mistyped comparison than a string that somebody waits for.
    private static func tree(_ text: String) throws(ExpressionError) -> JSONTree {
        if let value = try? JSONText(text), let tree = try? JSONTree(value) { return tree }
        guard !text.contains(where: { " \t=!<>&|(){}[]\"".contains($0) }) else {
            throw ExpressionError(
                description: "'\(text)' is neither JSON nor one word: write one comparison, and other strings in quotes"
            )
        }
        return .string(Array(text.utf8))
    }

    func holds(for value: JSONText) -> Bool {
        guard let tree = try? JSONTree(value), let part = self.path.part(of: tree) else { return false }
        return switch self.comparison {
        case .equal: part == self.operand
        case .unequal: part != self.operand
        case .below: JSONTree.isLess(part, than: self.operand) == true
        case .atLeast: JSONTree.isLess(part, than: self.operand) == false
        case .above: JSONTree.isLess(self.operand, than: part) == true
        case .atMost: JSONTree.isLess(self.operand, than: part) == false
        }
    }
}

extension StringProtocol {
    /// The text without the spaces around it.
    fileprivate var trimmed: Substring {
        let beginning = self.drop { $0.isWhitespace }
        let last = beginning.lastIndex { !$0.isWhitespace }
        return last.map { Substring(beginning[...$0]) } ?? ""
    }
}
