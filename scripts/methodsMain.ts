/** Reads the methods of the sources in the folder that is named into the cache: `methodsPlugin` runs it beside a server. */
import { cachedMethods } from "./methods.js"

cachedMethods(process.argv[2] ?? process.cwd())
