import Foundation
import RacClient

@testable import racctl

/// An expression of `racctl wait` in the first line and values in the others.
///
/// Its matches agree with each other, and
/// with Foundation's reading of numbers.
enum ExpressionTarget {
    static func run(_ input: [UInt8]) throws {
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let values = lines.dropFirst().prefix(16).compactMap { try? JSONText(String($0)) }
        try Self.expression(String(lines[0]), values)
        let trees = values.compactMap { try? JSONTree($0) }
        guard trees.count == values.count else { throw Finding("a value is no tree") }
        for (left, right) in zip(zip(values, trees), zip(values, trees).dropFirst()) {
            try Self.compare(left, right)
            try Self.compare(right, left)
        }
    }

    private static func expression(_ text: String, _ values: [JSONText]) throws {
        let expression: WaitExpression
        do throws(ExpressionError) {
            expression = try WaitExpression(text)
        } catch {
            guard !error.description.isEmpty else { throw Finding("an expression is refused without a word") }
            return
        }
        for value in values {
            var machine = WaitStateMachine(expression)
            let action = machine.changed(.open, value: value)
            guard case .value(let comparison) = expression else { continue }
            guard (action == .finish) == comparison.holds(for: value) else {
                throw Finding("\(text) is not waited for")
            }
            try Self.check(comparison, value)
        }
    }

    /// A comparison holds for a value or its contrary does, if the value has the part and the two have an order.
    private static func check(_ comparison: WaitExpression.Comparison, _ value: JSONText) throws {
        guard let part = comparison.path.part(of: try JSONTree(value)) else {
            guard !comparison.holds(for: value) else { throw Finding("\(comparison) holds for nothing") }
            return
        }
        let isLess = JSONTree.isLess(part, than: comparison.operand)
        let isMore = JSONTree.isLess(comparison.operand, than: part)
        let isEqual = part == comparison.operand
        let expected: Bool =
            switch comparison.comparison {
            case .equal: isEqual
            case .unequal: !isEqual
            case .below: isLess == true
            case .above: isMore == true
            case .atMost: isLess == true || isLess != nil && isEqual
            case .atLeast: isMore == true || isMore != nil && isEqual
            }
        guard comparison.holds(for: value) == expected else { throw Finding("\(comparison) and \(value)") }
    }

    private static func compare(_ left: (JSONText, JSONTree), _ right: (JSONText, JSONTree)) throws {
        let isLess = JSONTree.isLess(left.1, than: right.1)
        let isMore = JSONTree.isLess(right.1, than: left.1)
        let count = [isLess == true, isMore == true, left.1 == right.1].count { $0 }
        guard isLess == nil ? isMore == nil : count == 1 else {
            throw Finding("\(left.0) and \(right.0) are \(count) of less, equal and more")
        }
        guard case (.number, .number) = (left.1, right.1), let first = Double(left.0.text),
            let second = Double(right.0.text)
        else { return }
        // A Double is the nearest one to a number, so that numbers are never the other way round.
        guard first >= second || isLess == true else { throw Finding("\(left.0) is not less than \(right.0)") }
    }
}
