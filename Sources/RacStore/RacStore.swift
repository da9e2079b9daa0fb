// RacStore
