package machine

import "time"

// turnEvery is how often runs let other goroutines have the only thread, and lastTurn when they did.
const turnEvery = 100 * time.Millisecond

var lastTurn time.Time

// giveTurn lets others run now and then: WebAssembly has one thread and takes it from nobody, and what a page says arrives only
// while nothing runs. Without it neither a limit of time nor a debugger's pause would end a run.
func giveTurn() {
	if time.Since(lastTurn) >= turnEvery {
		time.Sleep(time.Nanosecond)
		lastTurn = time.Now()
	}
}
