import * as Exit from "effect4/Exit"
import { isInterrupted as hasInterrupt } from "./Cause.js"

export * from "effect4/Exit"

export const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && hasInterrupt(exit.cause)
