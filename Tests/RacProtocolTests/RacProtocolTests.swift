// RacProtocolTests
