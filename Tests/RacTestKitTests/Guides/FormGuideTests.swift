import Observation
import RacClient
import RacTestKit
import Testing

struct Profile: Codable, Equatable, Sendable {
    var name: String
    var age: Int
}

@MainActor
@Observable
final class ProfileForm {
    var name = ""
    var age = ""
    var title = ""
    var warning: String?
    var canSave = false
    var isSaving = false
}

@MainActor
@Observable
final class ProfileView {
    var title = ""
    var age: Int?
}

/// The examples of the guide "Forms".
@MainActor
@Suite(.timeLimit(.minutes(5))) struct FormGuideTests {
    @Test("A form edits the fields of a channel, live")
    func live() async throws {
        let client = Client.inMemory()
        let form = ProfileForm()
        let profile = try client.property("profile", as: Profile.self, default: Profile(name: "Ada", age: 36))

        ChannelTerminal(of: form, \.name) <~> profile.terminal(\.name)
        ChannelTerminal(of: form, \.age)
            <~> profile.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })

        profile.problem.map { $0?.message }.bind(to: form, \.warning)

        let title = try client.property("profile/title", as: String.self, default: "Countess")
        ChannelTerminal(of: form, \.title) <~> title
        while form.title != "Countess" { await Task.yield() }

        let view = ProfileView()
        profile.onMain { view.title = $0.name }
        profile.signal.map(\.age).bind(to: view, \.age)
        while view.title != "Ada" || view.age != 36 { await Task.yield() }

        while form.age != "36" { await Task.yield() }
        form.age = "37"
        while try await client.get("profile", as: Profile.self)?.age != 37 { await Task.yield() }
        #expect(profile.value == Profile(name: "Ada", age: 37))
        #expect(form.warning == nil)
        await client.close()
    }

    @Test("A property is the state of a field")
    func property() async throws {
        let client = Client.inMemory()
        let profile = try client.property("profile", as: Profile.self, default: Profile(name: "Ada", age: 36))
        let name = Property("")
        name <~> profile.terminal(\.name)
        while name.value != "Ada" { await Task.yield() }

        name.value = "Grace"
        // The next line is of the same turn.
        #expect(profile.value?.name == "Grace")
        await client.close()
    }

    @Test("A form with a button that saves")
    func draft() async throws {
        let client = Client.inMemory()
        let form = ProfileForm()
        let profile = try client.property("profile", as: Profile.self)

        let draft = Property(Profile(name: "", age: 0))
        ChannelTerminal(of: form, \.name) <~> draft.terminal(\.name)
        ChannelTerminal(of: form, \.age)
            <~> draft.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })

        let isComplete = draft.map { !$0.name.isEmpty && $0.age > 0 }
        let save = Command<Void, Void, ClientError>(enabledIf: isComplete) { () async throws(ClientError) in
            try await profile.write(draft.value, sync: true)
        }
        save.isEnabled.bind(to: form, \.canSave)
        save.isExecuting.bind(to: form, \.isSaving)
        save.values.onMain { form.warning = nil }
        save.errors.onMain { form.warning = $0.message }

        // The form shows the draft one turn of the main actor later.
        while form.age != "0" { await Task.yield() }
        form.name = "Grace"
        form.age = "40"
        form.warning = "the last save failed"
        while !form.canSave { await Task.yield() }
        save.execute()
        #expect(form.isSaving && !form.canSave)
        while try await client.get("profile", as: Profile.self) == nil { await Task.yield() }
        #expect(try await client.get("profile", as: Profile.self) == Profile(name: "Grace", age: 40))
        while form.warning != nil || form.isSaving { await Task.yield() }
        await client.close()
    }

    @Test("A button that saves what is valid and has changed")
    func changed() async throws {
        let client = Client.inMemory()
        let form = ProfileForm()
        let profile = try client.property("profile", as: Profile.self, default: Profile(name: "Ada", age: 36))
        let draft = Property(Profile(name: "Ada", age: 36))
        let canSave = combineLatest(draft, profile) { draft, saved in
            !draft.name.isEmpty && draft.age > 0 && draft != saved
        }
        let save = Command<Void, Void, ClientError>(enabledIf: canSave) { () async throws(ClientError) in
            try await profile.write(draft.value)
        }
        save.isEnabled.bind(to: form, \.canSave)

        #expect(!form.canSave)
        draft.value = Profile(name: "", age: 36)
        #expect(!form.canSave)
        draft.value = Profile(name: "Grace", age: 36)
        #expect(form.canSave)
        try await save.run()
        while form.canSave { await Task.yield() }
        #expect(try await client.get("profile", as: Profile.self) == draft.value)
        try await client.set("profile", Profile(name: "Ada", age: 37))
        while !form.canSave { await Task.yield() }
        await client.close()
    }

    @Test("A form clears its warning when the write goes out later")
    func late() async throws {
        let daemon = TestDaemon()
        let client = daemon.client()
        let form = ProfileForm()
        let profile = try client.property("profile", as: Profile.self, default: Profile(name: "Ada", age: 36))
        let draft = Property(Profile(name: "Grace", age: 40))
        let isComplete = draft.map { !$0.name.isEmpty && $0.age > 0 }

        let save = Command<Void, Void, ClientError>(enabledIf: isComplete) { () async throws(ClientError) in
            try await profile.write(draft.value, timeout: .seconds(1))
        }
        save.errors.onMain { error in
            form.warning = error.message
            guard error.code == .timedOut else { return }
            Task {
                try await profile.settled()
                form.warning = profile.problem.value?.message
            }
        }

        try await client.waitUntilLive(timeout: .seconds(100))
        daemon.isReachable = false
        save.execute()
        while form.warning == nil { await Task.yield() }
        daemon.isReachable = true
        while form.warning != nil { await Task.yield() }
        #expect(try await client.get("profile", as: Profile.self) == draft.value)
        await client.close()
        await daemon.stop()
    }

    @Test("A draft takes what others set in fields that were not edited, and saves the edited ones")
    func merging() async throws {
        let client = Client.inMemory()
        let profile = try client.property("profile", as: Profile.self, default: Profile(name: "Ada", age: 36))

        let base = Property(Profile(name: "", age: 0))
        let draft = Property(base.value)
        profile.onMain { saved in
            let before = base.value
            base.value = saved
            draft.modify {
                if $0.name == before.name { $0.name = saved.name }
                if $0.age == before.age { $0.age = saved.age }
            }
        }
        let save = Command<Void, Void, ClientError> { () async throws(ClientError) in
            let (edited, before) = (draft.value, base.value)
            try await profile.modify {
                if edited.name != before.name { $0.name = edited.name }
                if edited.age != before.age { $0.age = edited.age }
            }
        }

        while draft.value.name != "Ada" { await Task.yield() }
        draft.modify { $0.name = "Grace" }
        try await client.set("profile", Profile(name: "Ada", age: 37))
        while draft.value.age != 37 { await Task.yield() }
        #expect(draft.value == Profile(name: "Grace", age: 37))
        try await save.run()
        #expect(try await client.get("profile", as: Profile.self) == draft.value)
        try await client.set("profile", Profile(name: "Mary", age: 38))
        while draft.value != Profile(name: "Mary", age: 38) { await Task.yield() }
        await client.close()
    }

    func status(of profile: RemoteProperty<Profile>) -> String {
        guard let current = profile.current else { return "loading…" }
        if !current.isLive { return "no connection" }
        return current.revision == nil ? "saving…" : "saved"
    }

    @Test("A form says whether its edits are saved")
    func statuses() async throws {
        let daemon = TestDaemon()
        let client = daemon.client()
        let profile = try client.property("profile", as: Profile.self)
        #expect(self.status(of: profile) == "loading…")
        try await profile.write(Profile(name: "Ada", age: 36))
        while self.status(of: profile) != "saved" { await Task.yield() }
        profile.value = Profile(name: "Ada", age: 37)
        try await profile.settled()
        while self.status(of: profile) != "saved" { await Task.yield() }
        daemon.isReachable = false
        while self.status(of: profile) != "no connection" { await Task.yield() }
        profile.value = Profile(name: "Ada", age: 38)
        daemon.isReachable = true
        while self.status(of: profile) != "saved" { await Task.yield() }
        #expect(try await client.get("profile", as: Profile.self)?.age == 38)

        profile.value = Profile(name: "Ada", age: 39)
        for await text in Observations({ status(of: profile) }) {
            print(text)
            if text == "saved" { break }
        }
        #expect(profile.current?.revision != nil)
        await client.close()
        await daemon.stop()
    }

    @Test("A rule for a field")
    func validation() {
        let name = ValidatingProperty("") { $0.isEmpty ? "a name is missing" : nil }
        let form = ProfileForm()
        name.flaw.bind(to: form, \.warning)
        name.edit.value = "Ada"
        #expect(form.warning == nil && name.value == "Ada")
    }

    @Test("A rule for a field of a channel")
    func remoteValidation() async throws {
        let client = Client.inMemory()
        let profile = try client.property("profile", as: Profile.self, default: Profile(name: "Ada", age: 36))
        let name = ValidatingProperty("") { $0.isEmpty ? "a name is missing" : nil }
        let form = ProfileForm()

        name.terminal() <~> profile.terminal(\.name)
        ChannelTerminal(of: form, \.name) <~> name.edit.terminal()
        name.flaw.bind(to: form, \.warning)

        while form.name != "Ada" || form.warning != nil { await Task.yield() }
        form.name = ""
        while form.warning == nil { await Task.yield() }
        #expect(profile.value?.name == "Ada")
        form.name = "Grace"
        while try await client.get("profile", as: Profile.self)?.name != "Grace" { await Task.yield() }
        #expect(name.value == "Grace" && form.warning == nil)
        await client.close()
    }
}
