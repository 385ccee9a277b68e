/** The programs of these tests, as processes that are gone at the end. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import { type Process, start } from "./processes.js"

/** The path of a program of `programs`, in one file with all that it imports (`globalSetup.ts`). */
export const programPath = (name: string): string => join(inject("programs"), `${name}.mjs`)

/** Runners of one program, with a folder of theirs, all of which are gone at the end. */
export const makeProcessGroup = (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), `fleet-${name}-`))
  const running = new Set<Process>()
  return {
    folder,
    /** What they write. */
    output: join(folder, "output"),
    begin: (env: Readonly<Record<string, string>>): Process => {
      const made = start(programPath(name), env, join(folder, "output"))
      running.add(made)
      made.child.once("exit", () => running.delete(made))
      return made
    },
    end: async () => {
      await Promise.all([...running].map(({ kill }) => kill()))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
