/**
 * Virtual time for tests of hooks. Timers and dates follow a clock that moves by {@link TICK_MS} per turn of Node's event loop, and by as
 * much as a test lets pass. On a busy machine a turn takes longer, and the clock waits for it: a time-out in the code under test
 * never runs out because a render was slow. Requests stay real.
 */
import { Agent, createServer, get, type Server } from "node:http"
import { act, configure } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest"

/** Virtual milliseconds per turn of the event loop that takes at least as long. */
const TICK_MS = 5

/** Virtual milliseconds that pass at once before requests are served: requests take no longer than that. */
const STEP_MS = 10

/** Virtual milliseconds after which nothing of a page is left that has gone. */
const DRAIN_MS = 10_000

const agent = new Agent({ keepAlive: true })
let server: Server | undefined
let url = ""

const request = (): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject)
  })

/** Waits until requests that were sent before have had their turn: two round trips over loopback that begin after them. */
const settleRequests = async (): Promise<void> => {
  await request()
  await request()
}

/** Lets virtual time pass, with whatever happens in it. */
export const advanceTime = async (milliseconds: number): Promise<void> => {
  await act(settleRequests)
  for (let left = milliseconds; left > 0; left -= STEP_MS) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(Math.min(STEP_MS, left))
      await settleRequests()
    })
  }
}

/** Lets virtual time pass in which nothing is asked for: what is held for so long ends. */
export const advanceIdleTime = (milliseconds: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
  })

/** Puts each test of a file on a virtual clock of its own. */
export const installVirtualTime = (): void => {
  // only a test that hangs waits so long: a machine that does other things too is no failure of ours
  configure({ asyncUtilTimeout: 15_000 })

  beforeAll(async () => {
    const listening = createServer((_, response) => response.end())
    // on a busy machine a connection that rests would be closed just as the next request comes
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
    // what ends after a while ends in its own test: a timer of a clock that is gone never comes
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(DRAIN_MS)
    vi.useRealTimers()
  })

  afterAll(() => {
    agent.destroy()
    server?.closeAllConnections()
    server?.close()
  })
}
