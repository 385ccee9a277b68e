import * as Context from "effect4/Context"
import { Clock, live } from "./Clock.js"

/** There are no default services, but references with a default; of those there is the clock. */
export const liveServices = Context.make(Clock, live)
