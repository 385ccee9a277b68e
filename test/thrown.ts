/** What is thrown where a definition of a network is wrong. */
import { expect } from "vitest"

/** The error of something that throws. */
export const catchThrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  return "nothing was thrown"
}

/** An InvalidConfig that has this issue among its own. */
export const invalid = (path: string, message: RegExp): unknown =>
  expect.objectContaining({
    _tag: "InvalidConfig",
    issues: expect.arrayContaining([{ path, message: expect.stringMatching(message) }])
  })
