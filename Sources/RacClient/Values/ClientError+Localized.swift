#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ClientError: LocalizedError {
    /// The message.
    public var errorDescription: String? { self.message }
}
