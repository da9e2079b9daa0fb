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
            guard let options, options != BindingOptions(), options != binding.options else { return binding }
            throw ClientError(
                .alreadyBound,
                "\(key.channel) is bound by this client with another default, interval or will"
            )
        }
        let binding = RemoteBinding(key, mode, options ?? BindingOptions(), self)
        self.share(binding, as: key)
        binding.start()
        return binding
    }
}
