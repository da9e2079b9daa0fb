/// The version of the daemon and its tools.
///
/// `Tests/check-references` compares it with that of clients/javascript/package.json and of the newest release in CHANGELOG.md.
package enum ProductVersion {
    package static let current = "1.0.0"
}
