/// A failure for signals in tests.
package enum TestFailure: Error, Hashable {
    /// The failure that a case of docs/semantics.md ends with.
    case e
    /// The failure of a value that a case refuses.
    case bad
}
