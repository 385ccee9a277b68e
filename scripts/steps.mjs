/**
 * The steps that every commit has to pass: their names and their time budgets in seconds on two cores. A step is a list
 * of vitest projects, a program that passes or fails as a whole, or a program that counts its own tests. The longest
 * steps come first, so that no worker is idle at the end. A step with `parts` runs one of so many parts of its files, which the commit chooses;
 * the night runs all of them.
 */

export const each = [
  // it mostly waits for its servers: with no share of its own, three other steps run beside it
  { name: "hostile", budget: 120, parts: 2, projects: ["hostile"], share: 0 },
  { name: "unit, on the lean runtime", budget: 240, projects: ["lean"], workers: 2, share: 1 },
  { name: "unit", budget: 220, projects: ["unit"] },
  { name: "signers, on the lean runtime", budget: 150, projects: ["lean-signers"] },
  { name: "react", budget: 90, projects: ["react"] },
  { name: "promises, on the lean runtime", budget: 60, projects: ["promised"] },
  { name: "types", budget: 70, program: ["scripts/compile.mjs", "--noEmit", "-p", "tsconfig.all.json"] },
  { name: "conformance", budget: 25, counting: ["scripts/run.mjs", "test/conformance/main.ts"] },
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

/** A folder for tarballs that nobody reads: what is built for them is packed again where they are needed. */
const packed = "node_modules/.cache/effect-chains"

/**
 * The additional steps of `npm run test:all`, in an order in which none with two workers waits long for its two shares. Those that mostly wait
 * for processes have two workers, which count as one share where they take no more than one core between them. The packages are built once
 * for those that need them (`after`), and the hooks without a page read the methods of the playground's console, and keep them for the browser.
 */
export const rest = [
  { name: "packages, built", budget: 100, program: ["scripts/pack.mjs", packed] },
  { name: "fleet", budget: 280, parts: 4, projects: ["fleet"], workers: 2 },
  {
    name: "package, as a user installs it, and its sizes",
    after: "packages, built",
    budget: 300,
    program: [
      "scripts/consumer.mjs",
      // of the build that is there
      ...["node", "bench/main.mjs", "sizes", "--quick", "--check"]
    ]
  },
  { name: "react, without a page", budget: 100, parts: 4, projects: ["react-node"] },
  { name: "sandbox", after: "packages, built", budget: 480, parts: 4, projects: ["sandbox"], workers: 2 },
  { name: "unit, on Effect", budget: 300, parts: 2, projects: ["effect"] },
  { name: "browser", budget: 360, parts: 4, projects: ["browser"] },
  { name: "what is built", budget: 200, parts: 4, projects: ["build"] },
  { name: "real nodes", budget: 140, parts: 4, projects: ["nodes"], workers: 2, share: 1 },
  { name: "soak", budget: 40, projects: ["soak"], share: 0 },
  {
    name: "pages of the command line's help",
    budget: 20,
    program: ["scripts/run.mjs", "scripts/help.ts", "--check"]
  },
  { name: "unit, on Effect 4", budget: 60, projects: ["effect4"] },
  {
    name: "conformance, on the lean runtime",
    budget: 25,
    counting: ["scripts/run.mjs", "--lean", "test/conformance/main.ts"]
  },
  { name: "react, on Effect 4", budget: 30, projects: ["effect4-react"] },
  {
    // two seconds of work; the night has all of it
    name: "conformance, on Effect 4",
    budget: 15,
    counting: [
      ...["scripts/run.mjs", "--effect4", "test/conformance/main.ts"],
      ...["--only", "^(ethereum|rates|wallet|\\$container)"]
    ]
  },
  {
    name: "what nothing uses",
    budget: 15,
    program: ["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"]
  }
]
