extension Array where Element: AnyObject {
    /// Calls the closure with each element, without counting references to it: the array holds them all the while.
    ///
    /// Where there are thousands of objects, the first look at each misses the caches, and counting has to wait for that.
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
