/** A property is over with the first example that fails: a mutant is dead by that, and shrinking it takes seconds. */
import { configureGlobal } from "fast-check"

// the same examples on every run: a score changes with the code and its tests alone
configureGlobal({ endOnFailure: true, seed: 1 })
