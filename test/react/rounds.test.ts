/** The figures of the playground's guided minute. */
import { describe, expect, it } from "vitest"
import { Round } from "../../react/playground/guide/Round.js"

describe("a round", () => {
  it("counts calls in the part in which they were made, and times those that were answered", async () => {
    const rounds = new Round()
    let now = 0
    const clock = () => now
    const taking = (ms: number, isAnswered: boolean) => async () => {
      now += ms
      return isAnswered
    }
    for (let i = 1; i <= 200; i++) await rounds.trackCall("pool", taking(i, true), clock)
    let end = (_: boolean): void => {}
    const late = rounds.trackCall("single", () => new Promise<boolean>((resolve) => (end = resolve)), clock)
    rounds.markBroken()
    await rounds.trackCall("single", () => Promise.reject(new Error("refused")), clock)
    await rounds.trackCall("single", taking(5, false), clock)
    await rounds.trackCall("pool", taking(7, true), clock)
    now += 50
    end(true)
    await late
    expect(rounds.stats()).toEqual({
      pool: { before: { sent: 200, failed: 0, p99: 199 }, after: { sent: 1, failed: 0, p99: 7 } },
      single: {
        before: { sent: 1, failed: 0, p99: 62 },
        after: { sent: 2, failed: 2, p99: undefined }
      }
    })
  })

  it("tell how many calls wait, of the client that has more of them", async () => {
    const rounds = new Round()
    const ends: Array<(isAnswered: boolean) => void> = []
    const held = () => new Promise<boolean>((resolve) => ends.push(resolve))
    const counted = [
      rounds.trackCall("pool", held),
      rounds.trackCall("pool", held),
      rounds.trackCall("single", held),
      rounds.trackCall("single", () => Promise.reject(new Error("refused")))
    ]
    expect(rounds.inFlight()).toBe(2)
    for (const end of ends.splice(0, 2)) end(true)
    await counted[1]
    expect(rounds.inFlight()).toBe(1)
    ends[0]?.(false)
    await Promise.all(counted)
    expect(rounds.inFlight()).toBe(0)
  })
})
