/** The tests that mutants have to survive: those of the unit project that need no server, process or clock of the machine. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "test/balancer/{Outcome,Pool,policies}.test.ts",
      "test/signers/{Signer,BadInput,Derivation,nonces}.test.ts",
      "test/{Client,Batch,Endpoint}.test.ts",
      "test/internal/*.test.ts"
    ],
    // every line of an instrumented source counts who has been there
    testTimeout: 60_000
  }
})
