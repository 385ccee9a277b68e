import type * as Duration from "effect4/Duration"

export * from "effect4/Duration"

export type DurationInput = Duration.Input
