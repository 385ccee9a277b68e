/** Questions and answers between the bench and its child processes, over Node's own channel. */
import { fork } from "node:child_process"
import { exit } from "node:process"

const children = new Set()

let guarded = false

/** However this process ends, by Ctrl-C too, its children end with it. */
const guard = () => {
  if (guarded) return
  guarded = true
  process.once("exit", () => {
    for (const child of children) child.kill("SIGKILL")
  })
  for (const [name, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ]) {
    process.once(name, () => exit(code))
  }
}

/**
 * Starts a module as a process of its own. `ask` rejects when the child answers with an error, ends, or takes longer than
 * `timeout` milliseconds; `end` kills it. No child outlives this process.
 */
export const start = (module, args = [], execArgv = []) => {
  guard()
  const child = fork(module, args, {
    execArgv,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"]
  })
  children.add(child)
  const waiting = new Map()
  let last = 0
  let stderr = ""
  child.stderr.on("data", (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-2_000)
  })
  child.on("message", ({ id, value, error }) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(new Error(error))
  })
  child.on("exit", (code, signal) => {
    children.delete(child)
    for (const { reject } of waiting.values()) {
      reject(new Error(`${args.join(" ") || "a child"} ended (${signal ?? code})\n${stderr}`.trim()))
    }
    waiting.clear()
  })
  child.on("error", () => {})
  return {
    ask: (type, payload, timeout = 30_000) =>
      new Promise((resolve, reject) => {
        if (child.exitCode !== null || child.signalCode !== null) {
          reject(new Error(`the process has ended\n${stderr}`.trim()))
          return
        }
        last += 1
        const id = last
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new Error(`no answer to ${type} within ${timeout} ms`))
        }, timeout)
        const settle = (act) => (value) => {
          clearTimeout(timer)
          act(value)
        }
        waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
        child.send({ id, type, payload })
      }),
    end: () => {
      child.kill("SIGKILL")
    }
  }
}

/** The other side: answers questions by name, and ends with the process that asks. */
export const serve = (handlers) => {
  process.on("message", async ({ id, type, payload }) => {
    try {
      process.send({ id, value: await handlers[type](payload) })
    } catch (error) {
      process.send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on("disconnect", () => exit(0))
}
