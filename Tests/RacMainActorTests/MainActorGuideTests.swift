import Expectations
import Observation
import Rac
import Testing

@MainActor
final class VolumeModel {
    var label = ""
    var isMuted = false
    var caption: String?

    init(_ volume: Property<Int>, name: Signal<String, Never>) {
        volume.onMain { [weak self] in self?.label = "volume \($0)" }
        volume.map { $0 == 0 }.bind(to: self, \.isMuted)
        name.bind(to: self, \.caption)
    }
}

nonisolated struct Reading: Codable, Equatable, Sendable {
    var celsius: Double
}

nonisolated func fahrenheit(_ reading: Reading) -> Double {
    reading.celsius * 9 / 5 + 32
}

nonisolated struct Profile: Equatable, Sendable {
    var name: String
    var age: Int
}

@Observable
final class Form {
    var name = ""
    var age = ""
}

final class Label {
    var text: String?
}

/// The examples of the guide "Main actor", in a target that is isolated to the main actor by default.
@Suite struct MainActorGuideTests {
    @Test("A model of the main actor has the present values at once, and those that are set there")
    func model() {
        let (volume, name) = (Property(3), Property("Radio"))
        let model = VolumeModel(volume, name: name.signal)
        expect(model.label == "volume 3")
        expect(model.caption == "Radio")
        volume.value = 0
        expect(model.label == "volume 0")
        #expect(model.isMuted)
    }

    @Test("A tracked reader is notified to draw again")
    func tracking() {
        let volume = Property(3)
        let isLoud = volume.map { $0 > 9 }
        withObservationTracking {
            _ = isLoud.value
        } onChange: {
            print("draw again")
        }
        volume.value = 10
        #expect(isLoud.value)
    }

    @Test("A form edits the fields of one property")
    func form() async {
        let form = Form()
        let profile = Property(Profile(name: "Ada", age: 36))
        ChannelTerminal(of: form, \.name) <~> profile.terminal(\.name)
        ChannelTerminal(of: form, \.age)
            <~> profile.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })
        while form.age != "36" { await Task.yield() }
        form.name = "Grace"
        form.age = "37"
        while profile.value != Profile(name: "Grace", age: 37) { await Task.yield() }
    }

    @Test("A target that is isolated by default marks its values and functions")
    func values() {
        let readings = Subject<Reading, Never>()
        let texts = readings.signal.map(fahrenheit).map { "\(Int($0)) °F" }
        let label = Label()
        texts.bind(to: label, \.text)
        readings.send(Reading(celsius: 20))
        expect(label.text == "68 °F")
    }
}
