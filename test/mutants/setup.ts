/** A property is over with the first example that fails: a mutant is dead by that, and shrinking it takes seconds. */
import { configureGlobal } from "fast-check"

// The same examples on every run, so that a score changes with the code and its tests; of properties that take long, those of a second:
// a mutant that lives runs all of its tests. Fewer examples can only lower a score.
configureGlobal({ endOnFailure: true, seed: 1, interruptAfterTimeLimit: 1_000 })
