package import RacConnection

/// Something else came than the test waits for.
package struct Surprise: Error {
    package var expected: String

    package init(expected: String) {
        self.expected = expected
    }
}

extension AsyncIteratorProtocol {
    /// Takes this many elements, in their order.
    package mutating func take(_ count: Int) async throws -> [Element] {
        var elements: [Element] = []
        while elements.count < count, let element = try await self.next() { elements.append(element) }
        return elements
    }
}

extension Task where Failure == any Error {
    /// The code of the client's error that the task failed with; nil if it did not.
    package var failureCode: ClientError.Code? {
        get async {
            do {
                _ = try await self.value
                return nil
            } catch {
                return (error as? ClientError)?.code
            }
        }
    }
}
