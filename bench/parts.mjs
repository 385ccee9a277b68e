/** The parts of a run, loaded when they are wanted. */
export const parts = {
  faults: () => import("./faults/part.mjs"),
  overhead: () => import("./overhead/part.mjs"),
  runtimes: () => import("./runtimes/part.mjs"),
  startup: () => import("./startup/part.mjs"),
  churn: () => import("./churn/part.mjs"),
  fleet: () => import("./fleet/part.mjs"),
  sizes: () => import("./sizes/part.mjs")
}
