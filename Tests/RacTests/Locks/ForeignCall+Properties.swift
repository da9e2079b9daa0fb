import Observation
import Rac
import RacTesting

extension ForeignCall {
    @Sendable
    private static func use(_ property: Property<Int>) {
        property.value += 1
        property.onValue { _ in }.dispose()
        (property <~> Property(0)).dispose()
    }

    static let properties = [
        ForeignCall("a property's observer") { outsider in
            let property = Property(0)
            property.onValue { _ in outsider.visit { Self.use(property) } }
            property.value = 1
        },
        ForeignCall("the observer of a property that goes away") { outsider in
            let other = Property(0)
            Property(1).observe(value: { _ in }, end: { _ in outsider.visit { Self.use(other) } })
        },
        ForeignCall("modify") { outsider in
            let property = Property(0)
            property.modify { value in
                outsider.visit { Self.use(property) }
                value += 1
            }
        },
        ForeignCall("a value that a property no longer has") { outsider in
            let property = Property<Farewell?>(nil)
            property.value = Farewell(outsider) { property.observe { _ in }.dispose() }
            property.value = nil
        },
        ForeignCall("what a property's observer holds") { outsider in
            let property = Property(0)
            let farewell = Farewell(outsider) { Self.use(property) }
            property.onValue { [farewell] _ in farewell.hold() }.dispose()
        },
        ForeignCall("a mapped property") { outsider in
            let property = Property(0)
            let mapped = property.readOnly.map { value in
                outsider.visit { Self.use(property) }
                return value
            }
            mapped.onValue { _ in }
            property.value = mapped.value
        },
        ForeignCall("a tracked reader") { outsider in
            let property = Property(0)
            withObservationTracking({ _ = property.value }, onChange: { outsider.visit { Self.use(property) } })
            property.value = 1
        },
        ForeignCall("the rule of a validating property") { outsider in
            let property = Property(0)
            let edits = ValidatingProperty(0, with: property) { _, _ -> TestFailure? in
                outsider.visit { Self.use(property) }
                return nil
            }
            edits.value = 1
        },
        ForeignCall("the functions of a mapped terminal") { outsider in
            let property = Property(0)
            let through = { @Sendable (value: Int) in
                outsider.visit { Self.use(property) }
                return value
            }
            let terminal = property.terminal().map(forward: through, backward: through)
            terminal.onValue { _ in }
            terminal.send(1)
        },
        ForeignCall("a property that is bound to a signal") { outsider in
            let (property, source) = (Property(0), Subject<Int, Never>())
            let binding =
                property
                <~ source.signal.map { value in
                    outsider.visit { source.send(2) }
                    return value
                }
            property.onValue { _ in outsider.visit { binding.dispose() } }
            source.send(1)
        },
        ForeignCall("the observers of bound properties") { outsider in
            let (a, b) = (Property(0), Property(0))
            b.onValue { _ in outsider.visit { Self.use(a) } }
            a <~> b
            b.onValue { _ in outsider.visit { Self.use(b) } }
            a.value = 1
        },
        ForeignCall("a terminal's observer") { outsider in
            let property = Property(0)
            let terminal = property.terminal()
            terminal.observe { _ in
                outsider.visit {
                    Self.use(property)
                    terminal.send(7)
                }
            }
            property.value = 1
            terminal.complete()
        },
        ForeignCall("the observers of a channel") { outsider in
            let channel = TwoWayChannel<Int, TestFailure>()
            let use = { @Sendable in
                channel.leading.send(7)
                channel.following.send(7)
                channel.following.observe { _ in }.dispose()
                bind(channel.leading, to: TwoWayChannel<Int, TestFailure>().following).dispose()
            }
            channel.leading.observe { _ in outsider.visit(use) }
            channel.following.observe { _ in outsider.visit(use) }
            channel.leading.send(1)
            channel.following.send(2)
            channel.following.observe { _ in outsider.visit(use) }
            channel.leading.fail(.e)
        },
        ForeignCall("a value that a channel no longer has") { outsider in
            let channel = TwoWayChannel<Farewell?, Never>()
            channel.leading.send(Farewell(outsider) { channel.following.observe { _ in }.dispose() })
            channel.leading.send(nil)
        },
        ForeignCall("what the observer of a channel that goes away holds") { outsider in
            let other = TwoWayChannel<Int, Never>()
            let farewell = Farewell(outsider) { other.leading.send(1) }
            TwoWayChannel<Int, Never>().leading.onValue { [farewell] _ in farewell.hold() }
        },
    ]
}
