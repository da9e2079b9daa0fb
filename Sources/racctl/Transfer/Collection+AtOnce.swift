extension Collection where Element: Sendable {
    /// The results of an asynchronous function for each element, in order; at most `width` calls are under way.
    func map<Made: Sendable>(
        atOnce width: Int,
        _ make: @escaping @Sendable (Element) async throws -> Made
    ) async throws -> [Made] {
        try await withThrowingTaskGroup(of: (Int, Made).self) { group in
            var made: [Made?] = []
            for (place, element) in self.enumerated() {
                if place >= width, let (place, one) = try await group.next() { made[place] = one }
                made.append(nil)
                group.addTask { (place, try await make(element)) }
            }
            for try await (place, one) in group { made[place] = one }
            return made.compactMap { $0 }
        }
    }
}
