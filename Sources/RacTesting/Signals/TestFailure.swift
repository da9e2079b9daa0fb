/// A failure for signals in tests.
package enum TestFailure: Error, Hashable {
    /// The E of CONFORMANCE.md.
    case e
    /// Its Bad.
    case bad
}
