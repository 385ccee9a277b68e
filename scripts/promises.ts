/**
 * `node scripts/run.mjs scripts/promises.ts` writes `docs/promises.md`: the promises of README and the docs, the test
 * of each promise, and its newest figures from `test/nightly/README.md`. A test fails if the page differs, or if a
 * promise has no test.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A promise: its page, its test with the test's project, and the nightly suites that measure it. */
interface DocumentedPromise {
  readonly text: string
  readonly page: string
  readonly test: readonly [file: string, name: string, project: string]
  readonly nightlySuites?: ReadonlyArray<string>
}

export const promises: ReadonlyArray<DocumentedPromise> = [
  {
    text: "A write is never sent again when its first attempt may have gone through",
    page: "balancer.md",
    test: [
      "test/balancer/balancer.model.test.ts",
      "calls end by their deadlines with the right answer, writes happen once, nothing is left",
      "effect"
    ],
    nightlySuites: ["model.test.ts", "soak.test.ts"]
  },
  {
    text: "Reads succeed while one node is healthy",
    page: "balancer.md",
    test: ["test/balancer/balancer.model.test.ts", "reads succeed while one node is well", "effect"],
    nightlySuites: ["nodes.test.ts", "soak.test.ts"]
  },
  {
    text: "Keys, mnemonics and urls with secrets appear in no error, log, span or metric, and in no request that does not need them",
    page: "signers/keys.md",
    test: [
      "test/hostile/secrets.test.ts",
      "are in nothing that calls of any family tell, and in no request where they have no place",
      "hostile"
    ]
  },
  {
    text: "Every answer of a node becomes a value or a typed error",
    page: "errors.md",
    test: ["test/hostile/services.test.ts", "meet every method of every service", "hostile"],
    nightlySuites: ["fuzz.test.ts"]
  },
  {
    text: "A client that has ended leaves no timer, listener or socket",
    page: "configuration.md",
    test: ["test/exit.test.ts", "has no more listeners and timers after 200 clients than after one", "build"]
  },
  {
    text: "A call that you abort ends at once, frees what it held, and does not affect other calls",
    page: "configuration.md",
    test: [
      "test/balancer/balancer.model.test.ts",
      "a call that is left is over at once, frees what it held, and costs the others nothing",
      "effect"
    ]
  },
  {
    text: "A process that was suspended continues where it was",
    page: "balancer.md",
    test: [
      "test/hostile/partitions.test.ts",
      "that was stopped, and wakes hours later by its clock, goes on at once and asks no more than before",
      "hostile"
    ]
  },
  {
    text: "A subscription delivers each event once, and leaves out none",
    page: "subscriptions.md",
    test: [
      "test/Subscription.test.ts",
      "reads what was missed while the socket was lost, in order and once, from where it was",
      "unit"
    ]
  },
  {
    text: "A payment is made once, even if responses are lost, and takes no more than its preview says",
    page: "signers/failures.md",
    test: [
      "test/nodes/solanaSigner.test.ts",
      "finds what it has sent where the answers get lost, and pays once",
      "nodes"
    ],
    nightlySuites: [
      "signers.test.ts",
      "nodelessSigners.test.ts",
      "previewedSigners.test.ts",
      "ledgerSigners.test.ts",
      "nodeSigners.test.ts"
    ]
  },
  {
    text: "A fleet makes each payment once, however often its processes are killed, and leaves no gap in the nonces",
    page: "fleet.md",
    test: [
      "packages/fleet/test/EvmTransactions.test.ts",
      "are made once each, however often they are asked for, with nonces in a row",
      "fleet"
    ]
  },
  {
    text: "A watcher reports what is in the chain, in order, and takes back what has left it",
    page: "watchers.md",
    test: [
      "packages/fleet/test/watchReader.test.ts",
      "tells what stands in the chain, in order, and takes back what left it, through forks, gaps and deaths",
      "fleet"
    ]
  },
  {
    text: "Every method of `@tatumio/tatum` that the conformance vectors name has an equivalent here",
    page: "migration/tatum.md",
    test: ["test/migration.test.ts", "is what the vectors, the exceptions and the sources say", "build"]
  }
]

/** The newest figures of a nightly suite: date, commit and result. */
const findFigures = (suite: string, nightly: string): ReadonlyArray<string> =>
  nightly.split("\n").flatMap((line) => {
    const [, name, commit, date, what, result] = line.split("|").map((cell) => cell.trim())
    return name === `\`${suite}\`` ? [`${date}, ${commit}: ${what}. ${result}.`] : []
  })

export const makePromisesPage = (root: string): string => {
  const nightly = readFileSync(join(root, "test/nightly/README.md"), "utf8")
  return [
    "# Promises",
    "This page lists what the docs promise, with the test that checks each promise and the newest results of long runs. To check a promise yourself, run the command under it. How the [balancer](balancer.md) compares with other clients while nodes fail is in `bench/results`.",
    "`scripts/promises.ts` writes this page from the names of tests and from `test/nightly/README.md`. If the test of a promise is removed, another test fails.",
    ...promises.map(({ nightlySuites = [], page, text, test: [file, name, project] }) =>
      [
        `## ${text}`,
        `Documented in [${page}](${page}). Checked by the test _${name}_:`,
        `\`\`\`sh\nnpx vitest run --project ${project} ${file}\n\`\`\``,
        nightlySuites
          .flatMap((suite) => findFigures(suite, nightly).map((line) => `- \`${suite}\`, ${line}`))
          .join("\n")
      ]
        .filter((part) => part !== "")
        .join("\n\n")
    )
  ]
    .join("\n\n")
    .concat("\n")
}

if (process.argv[1] === "scripts/promises.ts")
  writeFileSync(join(process.cwd(), "docs/promises.md"), makePromisesPage(process.cwd()))
