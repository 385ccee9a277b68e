import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { defineConfig } from "vitest/config"
import { vite as effect4, viteHooks as effect4Hooks } from "./scripts/effect4.mjs"
import { vite } from "./scripts/lean.mjs"

/** What tests of real answers are made from, which is not part of the repository. */
const shared = process.env.EFFECT_CHAINS_SHARED ?? join(import.meta.dirname, "../shared")
const isShared = existsSync(shared)
if (!isShared) console.log("left out: recorded answers of real nodes (no ../shared)")

/** Limits against what hangs, and for nothing else: on a busy machine tests are late. Projects take no times from the root. */
const times = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 300_000 } } }

const tests = readdirSync(join(import.meta.dirname, "test"), { encoding: "utf8", recursive: true })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file.split(sep).join("/")}`)

/** The tests whose first line is `// @runtime` with this name. */
const testsOn = (runtime: string): Array<string> =>
  tests.filter((file) =>
    readFileSync(join(import.meta.dirname, file), "utf8").startsWith(`// @runtime ${runtime}\n`)
  )

/**
 * Tests that run on the lean runtime (project `lean`, in `npm test`) and on Effect (project `effect`, in `npm run test:all`), but for those
 * of signers: `// @runtime both` is their first line. The others are of the Effect surface, or of what knows no runtime.
 */
const LEAN = testsOn("both")

/**
 * Tests of signers, which run on both as well: on the lean runtime in `npm test` (project `lean-signers`), on Effect at night (project
 * `effect-signers`), since most of their work are curves, which are the same.
 */
const SIGNERS = ["test/signers/[A-Z]*.test.ts"]

/** Of these, what runs on Effect 4 on each commit: calls, layers, services and subscriptions. */
const ON_EFFECT_4 = ["test/{Batch,Client,Coalesce,Quorum,Subscription}.test.ts"]

/**
 * Tests of the Promise surface alone, and of the lean runtime beside effect's: they use effect for themselves. They run over the lean runtime
 * in `npm test` (project `promised`), and over Effect with the others of both runtimes (project `effect`).
 */
const PROMISED = testsOn("promise")

/** Tests that run the compiler, bundle, or start programs: they take long, and belong to `npm run test:all`. */
const BUILD = [
  "test/migrate/*.test.ts",
  "test/{api,bench,bundle,compiled,contracts,docs,effect4.program,entries,exit,migrate,migration,published,reference,released,types}.test.ts",
  "test/specs/**/*.test.ts"
]

const LEAN_RUNTIME = { EFFECT_CHAINS_RUNTIME: "lean" }

/** How much of each property a commit tries, and whether the night tries all of it here. */
const withShare = ({
  share,
  wholeAtNight = false,
  env = {}
}: {
  readonly share: number
  readonly wholeAtNight?: boolean
  readonly env?: Readonly<Record<string, string>>
}) => ({
  setupFiles: ["test/share.ts"],
  env: {
    ...env,
    EFFECT_CHAINS_PROPERTY_SHARE: wholeAtNight && process.env.NIGHT === "true" ? "1" : String(share)
  }
})

/** Tests that set variables of a running process, which Effect 4 reads once. */
const EFFECT_4_ENVIRONMENT = "test/effect4/environment.ts"

/** What tests of the hooks over Effect 4 have in common. */
const EFFECT_4_PAGE = {
  environment: "jsdom",
  isolate: false,
  setupFiles: ["test/react/fastRefresh.ts", EFFECT_4_ENVIRONMENT],
  env: { EFFECT_CHAINS_RUNTIME: "effect4" },
  ...times
}

/** Measures of the page's work beside other libraries, at night. */
const MEASURES = ["test/browser/{hooks,subscribers}.test.ts"]

/**
 * `unit` and `effect` need nothing but Node, `build` compiles and bundles, `hostile` loopback servers of its own that do their worst, `react` a document besides (jsdom); `nodes` starts real chain nodes, `sandbox` the embedded provider over them; `browser` drives Chromium; `nightly`
 * starts nodes that take minutes, `effect4` tests of both runtimes on Effect 4, and `installs` new projects of users.
 */
export default defineConfig({
  test: {
    // a run of CI has one state of the files: what a project has transformed, the next one reads. Elsewhere a new file may stand before
    // one that an import has found, which vitest would not see
    experimental: { fsModuleCache: process.env.CI === "true" },
    projects: [
      {
        test: {
          name: "unit",
          // what files share is read once: that is half of the time of sixty files
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [
            ...(isShared ? [] : ["test/recorded/**"]),
            ...LEAN,
            ...PROMISED,
            ...SIGNERS,
            ...BUILD,
            "test/editor.test.ts",
            "test/lean*.test.ts",
            "test/{browser,hostile,nightly,nodes,react,sandbox,soak}/**"
          ],
          ...withShare({ share: 0.25, wholeAtNight: true }),
          ...times
        }
      },
      {
        test: {
          name: "effect",
          // those of attacks are among `hostile`
          include: [...LEAN, ...PROMISED.filter((file) => !file.startsWith("test/hostile/"))],
          isolate: false,
          // the lean runtime has tried the most
          ...withShare({ share: 0.1 }),
          ...times
        }
      },
      {
        test: {
          name: "effect-signers",
          include: SIGNERS,
          isolate: false,
          ...times
        }
      },
      {
        test: {
          name: "build",
          include: BUILD,
          // one program of the compiler for all that read types
          isolate: false,
          maxWorkers: 1,
          ...times
        }
      },
      {
        plugins: [vite(false)],
        test: {
          name: "promised",
          include: PROMISED,
          env: LEAN_RUNTIME,
          ...times
        }
      },
      {
        // the same tests of the same sources, on the lean runtime
        plugins: [vite(true)],
        test: {
          name: "lean",
          include: LEAN,
          isolate: false,
          ...withShare({ share: 0.25, wholeAtNight: true, env: LEAN_RUNTIME }),
          ...times
        }
      },
      {
        plugins: [vite(true)],
        test: {
          name: "lean-signers",
          include: SIGNERS,
          isolate: false,
          // the night tries all on Effect
          ...withShare({ share: 0.1, env: LEAN_RUNTIME }),
          ...times
        }
      },
      {
        // the tests of both runtimes on Effect 4: a few files on each commit (project `effect4`), all at night (`effect4-whole`)
        plugins: [effect4(true)],
        test: {
          name: "effect4",
          include: ON_EFFECT_4,
          setupFiles: EFFECT_4_ENVIRONMENT,
          isolate: false,
          env: { EFFECT_CHAINS_RUNTIME: "effect4", EFFECT_CHAINS_PROPERTY_SHARE: "0.1" },
          ...times
        }
      },
      {
        plugins: [effect4(true)],
        test: {
          name: "effect4-whole",
          include: [...LEAN, ...SIGNERS],
          setupFiles: EFFECT_4_ENVIRONMENT,
          isolate: false,
          env: { EFFECT_CHAINS_RUNTIME: "effect4" },
          ...times
        }
      },
      {
        // the attacks on Effect 4, at night
        plugins: [effect4(true)],
        test: {
          name: "effect4-hostile",
          include: ["test/hostile/**/*.test.ts"],
          setupFiles: EFFECT_4_ENVIRONMENT,
          env: { EFFECT_CHAINS_RUNTIME: "effect4", HOSTILE_TIMES: "1" },
          ...times
        }
      },
      {
        // the Promise surface over Effect 4, at night
        plugins: [effect4(false)],
        test: {
          name: "effect4-promised",
          include: PROMISED,
          env: LEAN_RUNTIME,
          ...times
        }
      },
      {
        test: {
          // new projects with the packed tarball, at night: times are measured, and one port is every sandbox's
          name: "installs",
          include: ["test/nightly/{start,programs,installs,sandboxInstall}.test.ts"],
          globalSetup: "scripts/pack.mjs",
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          ...times
        }
      },
      {
        test: {
          // an editor's answers about the packed package, at night; about the sources test/types.test.ts has them on each commit
          name: "editor",
          include: ["test/editor.test.ts"],
          ...times
        }
      },
      {
        test: {
          name: "hostile",
          include: ["test/hostile/**/*.test.ts"],
          ...times
        }
      },
      {
        test: {
          // what runs on a page
          name: "react",
          include: ["test/react/**/*.test.tsx"],
          exclude: ["test/react/streaming.test.tsx"],
          environment: "jsdom",
          // what files share is read once: most of their time is that
          isolate: false,
          setupFiles: "test/react/fastRefresh.ts",
          ...times
        }
      },
      {
        // the hooks over Effect 4: a few files on each commit (project `effect4-react`), all at night (`effect4-react-whole`)
        plugins: [effect4Hooks()],
        test: {
          name: "effect4-react",
          include: ["test/react/{clients,define,reactivity,reads,steering}.test.tsx"],
          ...EFFECT_4_PAGE
        }
      },
      {
        plugins: [effect4Hooks()],
        test: {
          name: "effect4-react-whole",
          include: ["test/react/**/*.test.tsx"],
          exclude: ["test/react/streaming.test.tsx"],
          ...EFFECT_4_PAGE
        }
      },
      {
        // of the hooks over Effect 4, what needs no page, at night
        plugins: [effect4Hooks()],
        test: {
          name: "effect4-react-node",
          include: ["test/react/{blocks,monitor,reactive}.test.ts", "test/react/streaming.test.tsx"],
          env: { EFFECT_CHAINS_RUNTIME: "effect4" },
          ...times
        }
      },
      {
        test: {
          // of the hooks, what compilers, bundlers and servers do with them: modules that have seen a page cannot be shared with these
          name: "react-node",
          include: ["test/react/**/*.test.ts", "test/react/streaming.test.tsx"],
          ...times
        }
      },
      {
        test: {
          name: "nodes",
          include: ["test/nodes/**/*.test.ts"],
          isolate: false,
          ...times
        }
      },
      {
        test: {
          name: "sandbox",
          include: ["test/sandbox/**/*.test.ts"],
          // what each file reads of the sandbox takes two seconds of work
          isolate: false,
          globalSetup: "test/sandbox/cli/build.ts",
          setupFiles: "test/sandbox/afresh.ts",
          ...times
        }
      },
      {
        // the fleet package, over the sources that its tsconfig.json names
        resolve: { tsconfigPaths: true },
        test: {
          name: "fleet",
          include: ["packages/fleet/test/**/*.test.ts"],
          globalSetup: "packages/fleet/test/globalSetup.ts",
          isolate: false,
          ...times
        }
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          exclude: MEASURES,
          globalSetup: "test/browser/shared.ts",
          ...times
        }
      },
      {
        test: {
          name: "measures",
          include: MEASURES,
          globalSetup: "test/browser/shared.ts",
          maxWorkers: 1,
          ...times
        }
      },
      {
        test: {
          name: "soak",
          include: ["test/soak/**/*.test.ts"],
          ...times
        }
      },
      {
        test: {
          name: "nightly",
          include: ["test/nightly/**/*.test.ts"],
          exclude: ["test/nightly/{installs,programs,sandboxInstall,start}.test.ts"],
          ...times
        }
      }
    ]
  }
})
