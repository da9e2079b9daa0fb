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
        let save = Command<Void, Void, ClientError>(enabledIf: isComplete.signal) { () async throws(ClientError) in
            try await profile.write(draft.value, sync: true)
        }
        save.isEnabled.bind(to: form, \.canSave)
        save.values.onMain { form.warning = nil }
        save.errors.onMain { form.warning = $0.message }

        // The form shows the draft one turn of the main actor later.
        while form.age != "0" { await Task.yield() }
        form.name = "Grace"
        form.age = "40"
        form.warning = "the last save failed"
        while !form.canSave { await Task.yield() }
        save.execute()
        while try await client.get("profile", as: Profile.self) == nil { await Task.yield() }
        #expect(try await client.get("profile", as: Profile.self) == Profile(name: "Grace", age: 40))
        while form.warning != nil { await Task.yield() }
        await client.close()
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
