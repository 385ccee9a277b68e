/**
 * The floors of the house, lowest first: a file imports from its own floor and from those below, types included. Folders on
 * one floor do not know each other, but for the pairs in `neighbours`, of which the first imports from the second.
 */
const floors = [
  ["src/data"],
  ["src/wire", "src/http"],
  ["src/config"],
  ["src/transport"],
  ["src/balancer"],
  ["src/chains"],
  ["src/subscriptions", "src/services"],
  ["src/client", "src/signers", "src/contracts/"],
  [
    "src/entries",
    "src/pick",
    "src/accounts",
    "src/address.ts",
    "src/cache.ts",
    "src/caip.ts",
    "src/contracts.ts",
    "src/define.ts",
    "src/health.ts",
    "src/identify",
    "src/index.ts",
    "src/promise.ts",
    "src/quota.ts",
    "src/permit.ts",
    "src/staking.ts",
    "src/policy.ts",
    "src/proposal.ts",
    "src/simulate.ts",
    "src/sweep.ts",
    "src/units.ts",
    "src/webhook.ts"
  ],
  ["src/sandbox", "react"],
  // nobody imports it: it is a program
  ["src/cli/"]
]

/** @type {ReadonlyArray<readonly [string, string]>} */
const neighbours = [["src/contracts/", "src/signers"]]

const pattern = (paths) => `^(${paths.join("|")})`

const upward = floors.slice(0, -1).map((floor, at) => ({
  name: `no arrow upward from ${floor.join(", ")}`,
  severity: "error",
  from: { path: pattern(floor) },
  to: { path: pattern(floors.slice(at + 1).flat()) }
}))

const sideways = floors.flatMap((floor) =>
  floor
    .filter((from) => !from.endsWith(".ts") && !/(entries|pick)$/.test(from))
    .map((from) => [
      from,
      floor.filter((to) => to !== from && !neighbours.some(([a, b]) => a === from && b === to))
    ])
    .filter(([, others]) => others.length > 0)
    .map(([from, others]) => ({
      name: `${from} does not know its neighbours`,
      severity: "error",
      // the playground shows the sandbox
      from: { path: pattern([from]), pathNot: "^react/playground" },
      to: { path: pattern(others) }
    }))
)

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    // a file may derive a type from its own exports
    { name: "no circle", severity: "error", from: { path: "(.+)" }, to: { circular: true, pathNot: "^$1$" } },
    // sources name effect, and the build (scripts/lean.mjs) puts the lean runtime in its place
    {
      name: "nobody knows the lean runtime",
      severity: "error",
      from: { pathNot: "^src/lean" },
      to: { path: "^src/lean" }
    },
    {
      name: "the lean runtime knows nobody",
      severity: "error",
      from: { path: "^src/lean" },
      to: { path: "^(src|react)/", pathNot: "^src/lean" }
    },
    {
      name: "sources do not know the tools",
      severity: "error",
      from: { path: "^(src|react)/" },
      to: { path: "^(scripts|bench|test|examples)/" }
    },
    ...upward,
    ...sideways
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    includeOnly: "^(src|react|scripts|bench|test|examples)/",
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js"],
      conditionNames: ["import", "default"],
      exportsFields: ["exports"]
    }
  }
}
