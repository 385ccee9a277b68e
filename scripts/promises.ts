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
    text: "A call that may have had an effect is never sent twice after an ambiguous failure",
    page: "balancer.md",
    test: [
      "test/balancer/balancer.model.test.ts",
      "calls end by their deadlines with the right answer, writes happen once, nothing is left",
      "effect"
    ],
    nightlySuites: ["model.test.ts", "soak.test.ts"]
  },
  {
    text: "Reads succeed while one node is well",
    page: "balancer.md",
    test: ["test/balancer/balancer.model.test.ts", "reads succeed while one node is well", "effect"],
    nightlySuites: ["nodes.test.ts", "soak.test.ts"]
  },
  {
    text: "Keys, mnemonics and urls with secrets are in no error, log, span and metric, and in no request where they have no place",
    page: "signers/keys.md",
    test: [
      "test/hostile/secrets.test.ts",
      "are in nothing that calls of any family tell, and in no request where they have no place",
      "hostile"
    ]
  },
  {
    text: "Whatever a node answers is a value or a typed error",
    page: "errors.md",
    test: ["test/hostile/services.test.ts", "meet every method of every service", "hostile"],
    nightlySuites: ["fuzz.test.ts"]
  },
  {
    text: "A client that has ended leaves no handle: no timer, no listener, no socket",
    page: "configuration.md",
    test: ["test/exit.test.ts", "has no more listeners and timers after 200 clients than after one", "build"]
  },
  {
    text: "A call that is left is over at once, frees what it held, and costs the others nothing",
    page: "configuration.md",
    test: [
      "test/balancer/balancer.model.test.ts",
      "a call that is left is over at once, frees what it held, and costs the others nothing",
      "effect"
    ]
  },
  {
    text: "A process that was stopped goes on where it was",
    page: "balancer.md",
    test: [
      "test/hostile/partitions.test.ts",
      "that was stopped, and wakes hours later by its clock, goes on at once and asks no more than before",
      "hostile"
    ]
  },
  {
    text: "Of a subscription no event is left out, and none comes twice",
    page: "subscriptions.md",
    test: [
      "test/Subscription.test.ts",
      "reads what was missed while the socket was lost, in order and once, from where it was",
      "unit"
    ]
  },
  {
    text: "A payment is made once, also where answers are lost, and takes no more than its preview says",
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
    text: "A payment of a fleet is made once, however often processes are killed, and leaves no hole in the nonces",
    page: "fleet.md",
    test: [
      "packages/fleet/test/EvmTransactions.test.ts",
      "are made once each, however often they are asked for, with nonces in a row",
      "fleet"
    ]
  },
  {
    text: "A watcher tells what stands in the chain, in order, and takes back what has left it",
    page: "watchers.md",
    test: [
      "packages/fleet/test/watchReader.test.ts",
      "tells what stands in the chain, in order, and takes back what left it, through forks, gaps and deaths",
      "fleet"
    ]
  },
  {
    text: "Every method of the reference SDK that the vectors name has its equivalent here",
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
    "What the docs promise, and what holds it. `scripts/promises.ts` writes this page from the names of tests and the results of the long runs; a promise whose test is gone fails a test. Figures are those of the newest run that is committed; the faults of the [balancer](balancer.md) beside other clients are in `bench/results`.",
    ...promises.map(({ nightlySuites = [], page, text, test: [file, name, project] }) =>
      [
        `## ${text}`,
        `It is said in [${page}](${page}), and held by _${name}_ in \`${file}\`:`,
        `\`\`\`sh\nnpx vitest run --project ${project} ${file}\n\`\`\``,
        ...nightlySuites.flatMap((suite) =>
          findFigures(suite, nightly).map((line) => `- \`${suite}\`, ${line}`)
        )
      ].join("\n\n")
    )
  ]
    .join("\n\n")
    .concat("\n")
}

if (process.argv[1] === "scripts/promises.ts")
  writeFileSync(join(process.cwd(), "docs/promises.md"), makePromisesPage(process.cwd()))
