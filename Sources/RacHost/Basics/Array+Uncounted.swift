extension Array where Element: AnyObject {
    /// Calls the closure with each element without counting references: the array holds the elements meanwhile.
    ///
    /// With thousands of objects the first access to each misses the caches, and counting has to wait for the memory.
    @inlinable
    @inline(__always)
    package func forEachUncounted(_ body: (Element) -> Void) {
        self.withUnsafeBufferPointer { elements in
            elements.withMemoryRebound(to: Unmanaged<Element>.self) { elements in
                for element in elements { element._withUnsafeGuaranteedRef(body) }
            }
        }
    }
}
