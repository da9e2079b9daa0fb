package import Testing

/// Two values, and whether they are equal: what ``expect(_:_:fileID:filePath:line:column:)`` takes.
package struct Comparison<Value> {
    fileprivate let left: Value
    fileprivate let right: Value
    fileprivate let isEqual: Bool
}

/// Compares two values where ``expect(_:_:fileID:filePath:line:column:)`` is called, which shows both if they differ.
package func == <Value: Equatable>(left: Value, right: Value) -> Comparison<Value> {
    let isEqual: Bool = left == right
    return Comparison(left: left, right: right, isEqual: isEqual)
}

/// Records an issue with both values of a comparison, `expect(total == 3)`, if they differ.
///
/// It is `#expect` for the comparison that most tests make. The compiler works ten times as long for the macro, which was a
/// quarter of the time that the tests took to build. All other conditions are left to the macro, since it shows their parts.
package func expect<Value>(
    _ comparison: Comparison<Value>,
    _ comment: @autoclosure () -> Comment? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column
) {
    guard !comparison.isEqual else { return }
    let (left, right) = (String(describingForTest: comparison.left), String(describingForTest: comparison.right))
    let comment = comment().map { ": \($0.rawValue)" } ?? ""
    Issue.record(
        "\(left) is not \(right)\(comment)",
        sourceLocation: SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: line, column: column)
    )
}
