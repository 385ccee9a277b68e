/** Reads the methods of the sources in a folder into the cache. `methodsPlugin` runs it beside a server. */
import { cachedMethods } from "./methods.js"

cachedMethods(process.argv[2] ?? process.cwd())
