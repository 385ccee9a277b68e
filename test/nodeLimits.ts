/**
 * Limits of calls to a real node that is the only one: it answers after ten seconds and more where others use its disk
 * or its cores, and nothing is tested by giving up on it.
 */
export const nodeLimits = { attemptTimeout: 300_000, timeout: 600_000 } as const
