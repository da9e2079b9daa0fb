// RacClientTests
