/**
 * Virtual time for tests of hooks. The clock moves by {@link TICK_MS} per turn of Node's event loop, and by what a test adds. On a busy
 * machine a turn takes longer and the clock waits for it, so a slow render never causes a time-out in the code under test. Requests are
 * real.
 */
import { Agent, createServer, get, type Server } from "node:http"
import { act, configure } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest"

/** Virtual milliseconds per turn of the event loop. */
const TICK_MS = 5

/** Virtual milliseconds after which pending requests are served. */
const STEP_MS = 10

/** Virtual milliseconds after which an unmounted page has ended all of its timers. */
const DRAIN_MS = 10_000

const agent = new Agent({ keepAlive: true })
let server: Server | undefined
let url = ""

const request = (): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject)
  })

/** Waits until earlier requests are answered: two round trips over loopback take longer. */
const settleRequests = async (): Promise<void> => {
  await request()
  await request()
}

/** Advances the clock, and serves the requests that are sent meanwhile. */
export const advanceTime = async (milliseconds: number): Promise<void> => {
  await act(settleRequests)
  for (let left = milliseconds; left > 0; left -= STEP_MS) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(Math.min(STEP_MS, left))
      await settleRequests()
    })
  }
}

/** Advances the clock without serving requests. */
export const advanceIdleTime = (milliseconds: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
  })

/** Gives each test of a file a virtual clock. */
export const installVirtualTime = (): void => {
  // only a test that hangs waits so long, so that a busy machine fails none
  configure({ asyncUtilTimeout: 15_000 })

  beforeAll(async () => {
    const listening = createServer((_, response) => response.end())
    // on a busy machine the server would close an idle connection just as the next request comes
    listening.keepAliveTimeout = 0
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
    const at = listening.address()
    if (at === null || typeof at === "string") throw new Error("the server has no port")
    server = listening
    url = `http://127.0.0.1:${at.port}`
  })

  beforeEach(() => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      advanceTimeDelta: TICK_MS,
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"]
    })
  })

  afterEach(async () => {
    // timers must end in their own test: those of an uninstalled clock never fire
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(DRAIN_MS)
    vi.useRealTimers()
  })

  afterAll(() => {
    agent.destroy()
    server?.closeAllConnections()
    server?.close()
  })
}
