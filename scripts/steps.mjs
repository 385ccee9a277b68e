/**
 * What every commit has to pass: names of steps with their budgets in seconds, on two cores. A step is projects of vitest, a program that
 * passes or fails as a whole, or one that counts its own tests. The longest come first, so that no
 * share is left without work while the last one ends.
 */

/** The steps of `npm test`. */
export const each = [
  { name: "hostile", budget: 195, projects: ["hostile"] },
  { name: "unit, on the lean runtime", budget: 195, projects: ["lean"] },
  { name: "unit", budget: 195, projects: ["unit"] },
  { name: "signers, on the lean runtime", budget: 120, projects: ["lean-signers"] },
  { name: "react", budget: 90, projects: ["react"] },
  { name: "promises, on the lean runtime", budget: 60, projects: ["promised"] },
  { name: "types", budget: 70, program: ["scripts/compile.mjs", "--noEmit", "-p", "tsconfig.all.json"] },
  { name: "conformance", budget: 25, counting: ["scripts/run.mjs", "test/conformance/main.ts"] },
  {
    name: "conformance, on the lean runtime",
    budget: 25,
    counting: ["scripts/run.mjs", "--lean", "test/conformance/main.ts"]
  },
  {
    name: "what nothing uses",
    budget: 15,
    program: ["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"]
  },
  {
    name: "floors",
    budget: 15,
    program: [
      "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
      ...["--config", ".dependency-cruiser.mjs", "src", "react"]
    ]
  },
  {
    name: "lint and format",
    budget: 15,
    program: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."]
  },
  { name: "path of a call", budget: 10, program: ["scripts/path.mjs"] },
  { name: "seam", budget: 10, program: ["scripts/seam.mjs"] }
]

/**
 * The steps that `npm run test:all` has besides. Those that wait for processes more than they work have two workers, and where they
 * work no more than one core does they take the share of one.
 */
export const rest = [
  { name: "sandbox", budget: 330, projects: ["sandbox"], workers: 2 },
  { name: "browser", budget: 300, projects: ["browser"] },
  { name: "fleet", budget: 260, projects: ["fleet"], workers: 2, share: 1 },
  { name: "unit, on Effect", budget: 280, projects: ["effect"] },
  { name: "what is built", budget: 140, projects: ["build"] },
  { name: "react, without a page", budget: 100, projects: ["react-node"] },
  { name: "real nodes", budget: 110, projects: ["nodes"], workers: 2, share: 1 },
  { name: "soak", budget: 40, projects: ["soak"] }
]
