import { existsSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { vite as effect4 } from "./scripts/effect4.mjs"
import { vite } from "./scripts/lean.mjs"

/** What tests of real answers are made from, which is not part of the repository. */
const shared = process.env.EFFECT_CHAINS_SHARED ?? join(import.meta.dirname, "../shared")
const isShared = existsSync(shared)
if (!isShared) console.log("left out: recorded answers of real nodes (no ../shared)")

/** A busy machine can make a test late. `scripts/test.mjs` names each test that was run again. Projects take no times from the root. */
const again = { retry: 1, hookTimeout: 60_000 }
/** The more so where processes run beside the tests. */
const beside = { retry: 2, hookTimeout: 60_000 }

/**
 * Files whose programs, nodes and compilers take longer than their length tells. They go first: with the last of them as the last
 * file, a clean clone, which knows no times yet, would leave the other workers without work.
 */
const LONG =
  /\/(contributing|docs|migration|types|install|Subscription|cli|Nodes|Watchdog|partitions|interruption|peers\/\w+)\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)))
  }
}

/**
 * Tests that run on the lean runtime as well as on Effect. What stays on Effect alone has nothing on the lean runtime to run:
 *
 * - the Effect surface, its layers and streams: `Sdk`, `layers`, `layerTest`, `Http` (clients of `@effect/platform`),
 *   `balancer/Changes` (a stream), `Polling` and `CallOptions` (operators for effects), `durations` (of effect's Duration),
 *   `requests` (effect's Request), `Units` (effect's Option);
 * - what only Effect programs can read: `traces`, `balancer/Observation` (metrics), `SdkErrorSchema` (schemas);
 * - of `services`, layers, logs and configuration (`Config`, `Logger`), schemas (`Schemas`), webhooks (`Webhook`), which are read on
 *   Effect, and amounts (`amounts`, of effect's Option); `checks` compares both runtimes by itself;
 * - what knows no runtime: `balancer/{Pool,policies,pool.model}` (state and choices, without effects), `Network`, `SdkError`, `CallResult`,
 *   `expressions`, `docs`, `types`, `bundle` and the like.
 */
const LEAN = [
  "test/{promise,badNodes,exit}.test.ts",
  "test/balancer/{Background,Hints,NodeList,NodePool,Outcome,Probe,events,heights,resilience,schedules,weaknesses}.test.ts",
  "test/balancer/balancer.model.test.ts",
  "test/{Batch,Cache,Client,Coalesce,Confirmation,Endpoint,Filters,Quorum,Quota,ServiceCache,deadlines,onDemand}.test.ts",
  "test/chains/*.test.ts",
  "test/contracts/*.test.ts",
  "test/internal/{cors,loadOnce,secrets}.test.ts",
  "test/{adapters,messages,nesting}.test.ts",
  "test/signers/[A-Z]*.test.ts",
  "test/services/{Address,Contract,DataApi,Extension,Fee,Gateway,Nft,Notification,Provider,Rates,Storage,Token,WalletProvider}.test.ts"
]

/** Tests of the Promise surface alone, and of the lean runtime beside effect's: they use effect for themselves. */
const PROMISED = ["test/{Services,Subscription,lean,lean.programs}.test.ts", "test/hostile/services.test.ts"]

/**
 * `unit` needs nothing but Node, `hostile` loopback servers of its own that do their worst, `react` a document besides (jsdom); `nodes` starts real chain nodes, `sandbox` the embedded provider over them; `browser` drives Chromium; `nightly`
 * starts nodes that take minutes, `effect4` is the Promise surface on Effect 4, which it installs, and `installs` new projects of users.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [
            ...(isShared ? [] : ["test/recorded/**"]),
            "test/browser/**",
            "test/editor.test.ts",
            "test/hostile/**",
            "test/lean*.test.ts",
            "test/nodes/**",
            "test/nightly/**",
            "test/react/**",
            "test/sandbox/**",
            "test/soak/**"
          ],
          testTimeout: 20_000,
          ...again
        }
      },
      {
        plugins: [vite(false)],
        test: {
          name: "promised",
          include: PROMISED,
          env: { EFFECT_CHAINS_RUNTIME: "lean" },
          testTimeout: 60_000,
          ...again
        }
      },
      {
        // the same tests of the same sources, on the lean runtime
        plugins: [vite(true)],
        test: {
          name: "lean",
          include: LEAN,
          // what files share is read once: that is half of the time of sixty files
          isolate: false,
          env: { EFFECT_CHAINS_RUNTIME: "lean" },
          testTimeout: 20_000,
          ...again
        }
      },
      {
        // the Promise surface over Effect 4, at night
        plugins: [effect4()],
        test: {
          name: "effect4",
          include: [
            "test/nightly/effect4.test.ts",
            "test/{adapters,badNodes,messages,nesting,promise}.test.ts",
            ...PROMISED
          ],
          globalSetup: "scripts/effect4.mjs",
          env: { EFFECT_CHAINS_RUNTIME: "lean" },
          testTimeout: 60_000
        }
      },
      {
        test: {
          // new projects with the packed tarball, at night: times are measured, and one port is every sandbox's
          name: "installs",
          include: ["test/nightly/{start,installs}.test.ts"],
          globalSetup: "scripts/pack.mjs",
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 600_000,
          hookTimeout: 60_000
        }
      },
      {
        test: {
          // it measures an editor's answers: no other test may run beside it
          name: "editor",
          include: ["test/editor.test.ts"],
          ...again
        }
      },
      {
        test: {
          name: "hostile",
          include: ["test/hostile/**/*.test.ts"],
          testTimeout: 60_000,
          ...beside
        }
      },
      {
        test: {
          name: "react",
          include: ["test/react/**/*.test.{ts,tsx}"],
          environment: "jsdom",
          testTimeout: 20_000,
          // requests live 400 ms without a reader: where a busy machine takes longer to render, they are sent twice
          ...again
        }
      },
      {
        test: {
          name: "nodes",
          include: ["test/nodes/**/*.test.ts"],
          testTimeout: 60_000,
          ...beside
        }
      },
      {
        test: {
          name: "sandbox",
          include: ["test/sandbox/**/*.test.ts"],
          testTimeout: 60_000,
          ...beside
        }
      },
      {
        // the fleet package, over the sources that its tsconfig.json names
        resolve: { tsconfigPaths: true },
        test: {
          name: "fleet",
          include: ["packages/fleet/test/**/*.test.ts"],
          globalSetup: "packages/fleet/test/globalSetup.ts",
          // what files share is read once for each worker
          isolate: false,
          // they wait for states of processes and nodes, which a busy machine may be late with: the limit is for what hangs
          testTimeout: 240_000,
          ...beside
        }
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 30_000,
          ...beside
        }
      },
      {
        test: {
          name: "soak",
          include: ["test/soak/**/*.test.ts"]
        }
      },
      {
        test: {
          name: "nightly",
          include: ["test/nightly/**/*.test.ts"],
          exclude: ["test/nightly/{effect4,installs,start}.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 60_000
        }
      }
    ]
  }
})
