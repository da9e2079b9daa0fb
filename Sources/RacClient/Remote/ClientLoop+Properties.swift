import Rac
import RacProtocol

extension ClientLoop {
    /// The client's one handle of a channel as a property of that type, which takes further options.
    ///
    /// So properties of one name agree at once, on whichever thread one of them is set.
    func property<Value>(
        _ name: ChannelName,
        _ options: BindingOptions,
        _ coding: ValueCoding<Value>,
        default defaultValue: Value?
    ) -> RemoteHandle<Value> {
        let handle = self.handle(name, options, coding)
        if let defaultValue, let text = options.defaultValue { handle.offer(defaultValue, as: text) }
        return handle
    }

    private func handle<Value>(
        _ name: ChannelName,
        _ options: BindingOptions,
        _ coding: ValueCoding<Value>
    ) -> RemoteHandle<Value> {
        let key = SharedObjects.Key(channel: name, type: ObjectIdentifier(Value.self), interval: options.interval)
        if let handle: RemoteHandle<Value> = self.shared.find(key), !handle.state.isOver {
            handle.join(options)
            return handle
        }
        let made = RemoteHandle(name, .property, options, coding, self, sharedAs: key)
        let handle = self.shared.enter(made, as: key) { !$0.state.isOver }
        if handle !== made { handle.join(options) }
        return handle
    }
}
