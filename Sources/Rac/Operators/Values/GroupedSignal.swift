/// The values of a signal that have one key in common.
///
/// It is hot: an observer that comes after its announcement misses values. Semantics: docs/semantics.md, "Operators".
/// ReactiveObjC: RACGroupedSignal.
public struct GroupedSignal<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: SignalSource {
    /// The key of the values.
    public let key: Key
    /// The later values, and the end of the source.
    public let signal: Signal<Value, Failure>

    @inlinable
    init(key: Key, signal: Signal<Value, Failure>) {
        self.key = key
        self.signal = signal
    }
}

extension Signal {
    /// Sorts the values into one signal per key.
    ///
    /// A group is announced before its first value, so observe it inside the handler. At the end the result ends first,
    /// then each group, in the order of their announcement. Empty `[done]`. Disposing the subscription to the result
    /// silences all groups, also if an operator that needs no more groups does it. Semantics: docs/semantics.md,
    /// "Operators". ReactiveObjC: RACSignal groupBy:.
    ///
    /// - Parameter key: Called once per value and observer.
    /// - Returns: A group for each key, at the key's first value.
    @inlinable
    public func group<Key: Hashable & Sendable>(
        by key: @escaping @Sendable (Value) -> Key
    ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
        Signal<GroupedSignal<Key, Value, Failure>, Failure>(serial: { sink in
            let groups = SerialCell(Groups<Key, Value, Failure>())
            self.start(
                in: sink.subscription,
                value: { value in
                    let (group, announcement) = groups.state.group(of: key(value))
                    if let announcement { sink.send(announcement) }
                    group.send(value)
                },
                end: { ending in
                    sink.end(ending)
                    for group in groups.state.inOrder { group.end(ending) }
                }
            )
        })
    }
}

/// The groups that have been announced to one observer.
@usableFromInline
struct Groups<Key: Hashable & Sendable, Value: Sendable, Failure: Error> {
    @usableFromInline var inOrder: [Subject<Value, Failure>] = []
    @usableFromInline var byKey: [Key: Subject<Value, Failure>] = [:]

    @inlinable
    init() {}

    /// The group of a key, and its announcement if it is new.
    @inlinable
    mutating func group(
        of key: Key
    ) -> (group: Subject<Value, Failure>, announcement: GroupedSignal<Key, Value, Failure>?) {
        if let known = self.byKey[key] { return (known, nil) }
        let group = Subject<Value, Failure>()
        self.byKey[key] = group
        self.inOrder.append(group)
        return (group, GroupedSignal(key: key, signal: group.signal))
    }
}
