/**
 * What every commit has to pass: names of steps with their budgets in seconds, on two cores. A step is projects of vitest, a program that
 * passes or fails as a whole, or one that counts its own tests. The longest come first, so that both lanes end at about the same time.
 */

/** The steps of `npm test`. */
export const each = [
  { name: "types", budget: 45, program: ["node_modules/ts7/bin/tsc", "--noEmit", "-p", "tsconfig.all.json"] },
  { name: "unit, on the lean runtime", budget: 100, projects: ["lean", "promised"] },
  { name: "unit", budget: 100, projects: ["unit"] },
  { name: "hostile", budget: 80, projects: ["hostile"] },
  { name: "react", budget: 80, projects: ["react"] },
  { name: "conformance", budget: 15, counting: ["scripts/run.mjs", "test/conformance/main.ts"] },
  {
    name: "conformance, on the lean runtime",
    budget: 15,
    counting: ["scripts/run.mjs", "--lean", "test/conformance/main.ts"]
  },
  {
    name: "lint and format",
    budget: 10,
    program: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."]
  },
  {
    name: "floors",
    budget: 10,
    program: [
      "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
      ...["--config", ".dependency-cruiser.mjs", "src", "react"]
    ]
  },
  {
    name: "what nothing uses",
    budget: 10,
    program: ["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"]
  },
  { name: "path of a call", budget: 5, program: ["scripts/path.mjs"] },
  { name: "seam", budget: 5, program: ["scripts/seam.mjs"] }
]

/** The steps that `npm run test:all` has besides. */
export const rest = [
  { name: "fleet", budget: 300, projects: ["fleet"] },
  { name: "browser", budget: 120, projects: ["browser"] },
  { name: "sandbox", budget: 120, projects: ["sandbox"] },
  { name: "what is built", budget: 120, projects: ["build"] },
  { name: "unit, on Effect", budget: 90, projects: ["effect"] },
  { name: "real nodes", budget: 60, projects: ["nodes"] },
  { name: "editor", budget: 30, projects: ["editor"] },
  { name: "soak", budget: 30, projects: ["soak"] }
]
