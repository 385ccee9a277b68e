// @runtime both
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Beacon.js"
import { makeWire } from "./wire.js"

describe("a beacon node", () => {
  it("gets lists of validators as the whole body, an empty one for all", async () => {
    const { answers, client, sent } = makeWire(endpoints.v1)
    answers({ data: [] })
    await Effect.runPromise(client.postStateValidatorBalances({ stateId: "head", ids: ["1", "2"] }))
    expect(sent()).toEqual([
      "POST",
      "/eth/v1/beacon/states/head/validator_balances",
      JSON.stringify(["1", "2"])
    ])
    await Effect.runPromise(client.postStateValidatorIdentities({ stateId: "head" }))
    expect(sent()).toEqual(["POST", "/eth/v1/beacon/states/head/validator_identities", "[]"])
    await Effect.runPromise(client.getSyncCommitteeRewards({ blockId: "5", ids: ["7"] }))
    expect(sent()).toEqual(["POST", "/eth/v1/beacon/rewards/sync_committee/5", JSON.stringify(["7"])])
    await Effect.runPromise(client.getAttestationRewards({ epoch: 3 }))
    expect(sent()).toEqual(["POST", "/eth/v1/beacon/rewards/attestations/3", "[]"])
  })
})
