/** The tests that mutants have to survive: those of the unit project that need no server, process or clock of the machine. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "test/balancer/{Outcome,Pool,policies,pool.model,Probe,Health,NodePool,schedules,heights,resilience}.test.ts",
      "test/signers/{Signer,BadInput,Derivation,nonces}.test.ts",
      "test/{Client,Batch,Endpoint}.test.ts",
      "test/internal/*.test.ts"
    ],
    testTimeout: 20_000
  }
})
