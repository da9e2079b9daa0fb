import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct WaitStateMachineTests {
    private static let error = WireError(code: "hot", message: "too hot")

    private func machine(_ expression: String) throws -> WaitStateMachine {
        WaitStateMachine(try WaitExpression(expression))
    }

    @Test(
        "A state that is waited for ends the wait, and one that rules it out does too",
        arguments: [
            ("exists", .finish, .finish, .finish, .wait),
            ("completed", .wait, .finish, .giveUp(.failed(Self.error)), .finish),
            ("failed", .wait, .giveUp(.completed), .finish, .giveUp(.completed)),
            ("ended", .wait, .finish, .finish, .finish),
            ("deleted", .wait, .wait, .wait, .finish),
            ("7", .finish, .finish, .finish, .finish),
            ("8", .wait, .giveUp(.completed), .giveUp(.failed(Self.error)), .giveUp(.completed)),
        ]
            as [(
                String, WaitStateMachine.Action, WaitStateMachine.Action, WaitStateMachine.Action,
                WaitStateMachine.Action
            )]
    )
    func states(
        expression: String,
        open: WaitStateMachine.Action,
        completed: WaitStateMachine.Action,
        failed: WaitStateMachine.Action,
        deleted: WaitStateMachine.Action
    ) throws {
        var machine = try self.machine(expression)
        expect(machine.changed(.open, value: .integer(7)) == open)
        expect(machine.changed(.completed, value: .integer(7)) == completed)
        expect(machine.changed(.failed(Self.error), value: .integer(7)) == failed)
        expect(machine.changed(nil, value: .integer(7)) == deleted)
    }

    @Test(
        "A missing channel is waited for, unless the wait is for its absence",
        arguments: ["exists", "ended", "7", "deleted"]
    )
    func absent(expression: String) throws {
        var first = try self.machine(expression)
        expect(first.synced() == (expression == "deleted" ? .finish : .wait))
        var machine = try self.machine(expression)
        _ = machine.changed(.open, value: nil)
        expect(machine.synced() == .wait)
    }

    @Test("A channel without a value has none that compares", arguments: ["null", "!= 1"])
    func noValue(expression: String) throws {
        var machine = try self.machine(expression)
        expect(machine.changed(.open, value: nil) == .wait)
    }

    @Test("A channel that is gone after several losses was deleted, though a connection between them reported nothing")
    func goneAfterLosses() throws {
        var machine = try self.machine("7")
        machine.connected()
        expect(machine.changed(.open, value: nil) == .wait)
        machine.connected()
        machine.connected()
        expect(machine.synced() == .giveUp(.completed))
        machine.connected()
        expect(machine.synced() == .wait)
    }
}
