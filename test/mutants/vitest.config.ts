/**
 * The tests that mutants have to survive: those of the unit project that are over in milliseconds, and need no server and no process.
 * Each mutant starts them anew, each file in a thread of its own: what a file imports costs more than its tests. Fewer tests can only
 * lower a score.
 */
import { statSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The shortest file first: most mutants are dead behind it, and the others are not started. */
class ShortFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const size = ({ moduleId }: TestSpecification): number => statSync(moduleId).size
    return files.toSorted((a, b) => size(a) - size(b))
  }
}

export default defineConfig({
  test: {
    include: [
      "test/balancer/{decision,readmission,Pool,policies,pool.model}.test.ts",
      // of the families whose signers are broken
      "test/signers/{texts,handOver,Signer,nonces,outputs,solanaBroadcast,evmNodes,Evm,Bitcoin,BitcoinCash,Solana,Tron,Algorand,Cosmos,Stellar,Tezos,Ton,Xrp}.test.ts",
      "test/wire/*.test.ts",
      "test/internal/{integers,route}.test.ts",
      "test/requests.test.ts"
    ],
    setupFiles: ["test/mutants/setup.ts"],
    sequence: { sequencer: ShortFirst },
    // every line of an instrumented source counts who has been there
    testTimeout: 60_000
  }
})
