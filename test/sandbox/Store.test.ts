import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Store from "../../src/sandbox/Store.js"

const folder = mkdtempSync(join(tmpdir(), "effect-chains-store-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secret = (file: string) =>
  Effect.scoped(
    Effect.flatMap(Store.make(file), ({ transact }) =>
      transact((open) => {
        open.run("INSERT OR REPLACE INTO secrets (api_key, secret) VALUES (?, ?)", "key", "secret")
        return open.all(Schema.Struct({ secret: Schema.String }), "SELECT secret FROM secrets")
      })
    )
  )

describe("a database in a file", () => {
  it.effect("is one sandbox's, until that one ends", () =>
    Effect.gen(function* () {
      const file = join(folder, "one.db")
      const error = yield* Effect.scoped(
        Effect.zipRight(Store.make(file), Effect.flip(Effect.scoped(Store.make(file))))
      )
      expect(error).toMatchObject({ reason: "store" })
      expect(error.message).toContain(`the process id ${process.pid} has it open`)
      expect(yield* secret(file)).toEqual([{ secret: "secret" }])
      expect(existsSync(`${file}.pid`)).toBe(false)
    })
  )

  it.effect("is refused while another process has it, and is free again when that was killed", () =>
    Effect.gen(function* () {
      const file = join(folder, "two.db")
      const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
      writeFileSync(`${file}.pid`, String(other.pid))
      mkdirSync(`${file}.lock`)
      const error = yield* Effect.flip(Effect.scoped(Store.make(file)))
      expect(error.message).toContain(`the process id ${other.pid} has it open`)
      const ended = new Promise((resolve) => other.on("close", resolve))
      other.kill("SIGKILL")
      yield* Effect.promise(() => ended)
      expect(yield* secret(file)).toEqual([{ secret: "secret" }])
      expect(existsSync(`${file}.lock`)).toBe(false)
    })
  )
})
