import RacProtocol

extension ClientEngine {
    /// The client's one binding of a terminal, made if there is none; without options as it is bound.
    func binding(
        _ key: RemoteBinding.Key,
        _ mode: ChannelMode,
        _ options: BindingOptions? = nil
    ) throws(ClientError) -> RemoteBinding {
        if let binding = self.sharedUser(key, as: RemoteBinding.self) {
            guard binding.mode == mode else { throw .wrongMode(of: key.channel, is: binding.mode) }
            if let options { try binding.join(options) }
            return binding
        }
        let binding = RemoteBinding(key, mode, options ?? BindingOptions(), self)
        self.share(binding, as: key)
        binding.start()
        return binding
    }
}
