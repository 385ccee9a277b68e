/** `layer` of @effect/vitest writes what it provides into the `it` of all files that share a process: each begins with that of its own. */
import { it, makeMethods } from "@effect/vitest"

makeMethods(it)
