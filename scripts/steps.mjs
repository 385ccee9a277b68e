/**
 * The steps that every commit has to pass: their names and their time budgets in seconds on two cores. A step is a list
 * of vitest projects, a program that passes or fails as a whole, or a program that counts its own tests. The longest
 * steps come first, so that no worker is idle at the end.
 */

export const each = [
  // it mostly waits for its servers: with no share of its own, three other steps run beside it
  { name: "hostile", budget: 195, projects: ["hostile"], share: 0 },
  { name: "unit, on the lean runtime", budget: 195, projects: ["lean"] },
  { name: "unit", budget: 195, projects: ["unit"] },
  { name: "signers, on the lean runtime", budget: 120, projects: ["lean-signers"] },
  { name: "react", budget: 90, projects: ["react"] },
  { name: "unit, on Effect 4", budget: 60, projects: ["effect4"] },
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
  { name: "seam", budget: 10, program: ["scripts/seam.mjs"] }
]

/**
 * The additional steps of `npm run test:all`. Those that mostly wait for processes have two workers; if they take no
 * more than one core, they count as one share.
 */
export const rest = [
  { name: "sandbox", budget: 390, projects: ["sandbox"], workers: 2 },
  { name: "browser", budget: 300, projects: ["browser"] },
  { name: "fleet", budget: 260, projects: ["fleet"], workers: 2, share: 1 },
  { name: "unit, on Effect", budget: 280, projects: ["effect"] },
  { name: "what is built", budget: 140, projects: ["build"] },
  { name: "real nodes", budget: 110, projects: ["nodes"], workers: 2, share: 1 },
  { name: "react, without a page", budget: 100, projects: ["react-node"] },
  { name: "react, on Effect 4", budget: 30, projects: ["effect4-react"] },
  { name: "soak", budget: 40, projects: ["soak"] }
]
