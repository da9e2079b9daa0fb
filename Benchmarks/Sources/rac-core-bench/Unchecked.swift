/// Something of another library that does not say that it may be used from here.
///
/// `@unchecked Sendable` holds because a contender uses what it has prepared on one thread at a time.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
