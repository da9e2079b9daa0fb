package import RacProtocol

extension DaemonConnection {
    /// Makes a round trip to the daemon.
    package func ping() async throws(ClientError) {
        _ = try await self.answer(to: .ping)
    }

    /// Reads a channel.
    ///
    /// - Throws: ``ClientError`` with code `noSuchChannel`, or what ``answer(to:after:)`` throws.
    package func get(_ channel: ChannelName) async throws(ClientError) -> Got {
        guard case .reply(.got(let got)) = try await self.answer(to: .get(channel)) else { throw .wrongAnswer }
        return got
    }

    /// Changes something, and returns the change's revision: `set`, `finish`, `reopen`, `delete` and `create`.
    package func change(_ request: Request) async throws(ClientError) -> Revision {
        guard case .reply(.revision(let revision)) = try await self.answer(to: request) else { throw .wrongAnswer }
        return revision
    }

    /// Sets several channels, all or none, and returns their revisions in the order of the entries.
    ///
    /// - Throws: ``ClientError``, whose `index` is the entry that was refused, or what ``answer(to:after:)`` throws.
    package func put(_ put: Put) async throws(ClientError) -> [Revision] {
        guard case .reply(.revisions(let revisions)) = try await self.answer(to: .put(put)) else { throw .wrongAnswer }
        return revisions
    }

    /// Lists channels in the order of their names, as many as the daemon lists at once.
    package func list(_ list: List) async throws(ClientError) -> Listed {
        guard case .reply(.listed(let listed)) = try await self.answer(to: .list(list)) else { throw .wrongAnswer }
        return listed
    }

    /// Lists commands in the order of their names, as many as the daemon lists at once.
    package func commands(_ list: List) async throws(ClientError) -> ListedCommands {
        guard case .reply(.commands(let listed)) = try await self.answer(to: .commands(list)) else {
            throw .wrongAnswer
        }
        return listed
    }

    /// Forgets a command that no client hosts.
    ///
    /// - Throws: ``ClientError`` with code `alreadyHosted` or `noSuchCommand`, or what ``answer(to:)`` throws.
    package func forget(_ command: CommandName) async throws(ClientError) {
        _ = try await self.answer(to: .forget(command))
    }

    /// Lists the bindings of a channel, as many as the daemon lists at once.
    ///
    /// - Throws: ``ClientError`` with code `noSuchChannel`, or what ``answer(to:after:)`` throws.
    package func who(_ who: AskWho) async throws(ClientError) -> Who {
        guard case .reply(.who(let who)) = try await self.answer(to: .who(who)) else { throw .wrongAnswer }
        return who
    }

    /// Lists the daemon's connections in the order of their numbers, as many as the daemon lists at once.
    ///
    /// - Throws: ``ClientError`` with code `badMessage` if the daemon is older than that, or what ``answer(to:)`` throws.
    package func connections(after last: UInt64? = nil) async throws(ClientError) -> ListedConnections {
        let ask = Request.who(AskWho(channel: nil, after: last))
        guard case .reply(.connections(let listed)) = try await self.answer(to: ask) else { throw .wrongAnswer }
        return listed
    }

    /// Binds to one of a channel's terminals.
    ///
    /// - Parameters:
    ///   - bind: The request; its `since` and `was` give way to those of the rest, and its `replay` does not count then.
    ///   - rest: The rest of a binding over an earlier connection of the session; its sends without an answer go out again.
    /// - Returns: The binding.
    /// - Throws: ``ClientError`` with code `alreadyBound`, or what ``answer(to:after:)`` throws.
    package func bind(_ bind: Bind, after rest: BindingRest? = nil) async throws(ClientError) -> ChannelBinding {
        let bind = rest?.bindAgain(bind, in: self.dispatcher.epoch) ?? bind
        guard case .bound(let bound, let terminal) = try await self.answer(to: .bind(bind), after: rest) else {
            throw .wrongAnswer
        }
        return ChannelBinding(bound, connection: self, terminal: terminal)
    }

    /// Watches all channels whose names match a pattern.
    ///
    /// - Throws: ``ClientError`` with code `alreadyBound`, or what ``answer(to:after:)`` throws.
    package func watch(_ pattern: ChannelPattern) async throws(ClientError) -> PatternWatch {
        guard case .watching(let watched) = try await self.answer(to: .watch(pattern)) else { throw .wrongAnswer }
        return PatternWatch(connection: self, pattern: watched)
    }
}

extension ClientError {
    /// A reply is read as its request says, so this stands for a mistake of this file.
    package static let wrongAnswer = ClientError(.badMessage, "the answer is to another kind of request")
}
