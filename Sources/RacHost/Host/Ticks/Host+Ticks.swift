import RacProtocol

extension Host {
    /// Begins a tick: everything until `endTick` happens at this time.
    ///
    /// - Parameter time: The present time.
    package func beginTick(at time: Time) {
        self.time = time
        self.sessions.forgetRested(at: time, limits: self.limits)
    }

    /// Begins a turn of work in this tick: the sockets have been read.
    ///
    /// - Parameter isForWaiting: Whether new messages have to wait behind those that wait already.
    package func beginTurn(isForWaiting: Bool = false) {
        self.work.begin(isForWaiting: isForWaiting)
        self.judgeAnew()
        while self.work.hasRoom, let subscriber = self.deadlines.popDue(at: self.time) {
            self.work.spend(Work.delivery)
            subscriber.wake()
            self.tick.list(subscriber.connection)
        }
    }

    /// The time at which the next tick is due at the latest, in milliseconds of `Time.uptime`.
    package var nextDeadline: UInt64? { self.deadlines.next }

    /// Whether work for another tick is left.
    package var wantsTick: Bool {
        !self.tick.isEmpty || self.watches.hasWaiting || self.waits.decision != nil || self.leavesMore
            || !self.unjudged.isEmpty || !self.unhosting.isEmpty
    }

    /// Ends the tick: puts the output of each connection in order, values before acknowledgements.
    ///
    /// The shell then writes the outputs, and hands over the batch for the store last.
    package func endTick() {
        self.answerDecided()
        self.collectSides()
        self.collectPatterns()
        self.collectAcks()
        self.serveLagging()
        self.goOnUnhosting()
        self.endLeaving()
    }
}

extension Host {
    /// Serves the connections that were passed over in the last turn first.
    private func serveLagging() {
        let listed = self.tick.listed
        guard self.hasPassedOver else { return listed.forEachUncounted { self.serveLagging($0) } }
        self.hasPassedOver = false
        listed.forEachUncounted { if $0.isPassedOver { self.serveLagging($0) } }
        listed.forEachUncounted { if !$0.isPassedOver { self.serveLagging($0) } }
    }

    private func serveLagging(_ connection: HostedConnection) {
        guard !connection.lagging.isEmpty else { return }
        let room = self.work.room(for: connection.share)
        connection.isPassedOver = room == 0
        guard room > 0 else {
            self.hasPassedOver = true
            return
        }
        let mark = self.work.mark
        self.work.spend(connection.serveLagging(at: self.time, units: room, deadlines: &self.deadlines))
        self.work.charge(&connection.share, since: mark)
    }

    /// Gives the values of this tick to the bindings; beyond the units of a turn, sides wait for the next one.
    private func collectSides() {
        // The messages that touched the sides have paid already.
        self.work.spend(-self.tick.takeTouchedUnits())
        var units = max(self.work.room, self.limits.unitsPerTurn / 2)
        var count = 0
        for side in self.tick.sides {
            if units <= 0 {
                guard !self.tick.mayKeepSides(from: count, bytes: self.limits.keptValueBytes) else { break }
                units = .max
            }
            let cost = Work.delivery * side.bindings.count
            self.collect(side)
            self.work.spend(cost)
            units -= cost
            count += 1
        }
        self.tick.removeSides(count)
    }

    private func collect(_ side: Side) {
        side.isTouched = false
        var slow: [Binding] = []
        let (bindings, log) = (side.bindings, side.log)
        bindings.forEachUncounted { binding in
            // A binding that only gets an acknowledgement is listed later, so that readers are written to first.
            if binding.collect(from: log) { self.tick.list(binding.connection) }
            if binding.isSlow { slow.append(binding) }
        }
        side.endTick()
        for binding in slow { self.endSlow(binding) }
    }

    /// Gives bindings their acknowledgements; one of a client that keeps sending waits, unless other output goes with it.
    private func collectAcks() {
        let areMany = self.tick.acking.count >= self.limits.manyAcknowledgements
        var waiting = 0
        for index in self.tick.acking.indices {
            let binding = self.tick.acking[index]
            guard !areMany || binding.connection.isListed || !binding.acks.waitsForMore() else {
                self.tick.keepAcking(index, at: waiting)
                waiting += 1
                continue
            }
            binding.isOnAckList = false
            self.tick.list(binding.connection)
            binding.catchUp()
            if binding.isThrough { binding.sayAck() } else { binding.connection.lag(binding) }
            if binding.isOver { binding.settle() }
        }
        self.tick.removeAcking(from: waiting)
    }

    private func endSlow(_ binding: Binding) {
        self.detach(binding)
        self.tick.list(binding.connection)
        self.noteLimit(binding.tooSlow, of: binding.connection)
        binding.finish(with: binding.slowEnd)
    }
}
