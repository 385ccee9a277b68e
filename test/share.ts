/** Set-up of projects that try a share of each property: those that name no number of runs have a hundred. */
import { configureGlobal, readConfigureGlobal } from "fast-check"
import { runs } from "./properties.js"

configureGlobal({ ...readConfigureGlobal(), numRuns: runs(100) })
