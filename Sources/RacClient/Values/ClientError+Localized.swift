public import Foundation

extension ClientError: LocalizedError {
    /// The message.
    public var errorDescription: String? { self.message }
}
