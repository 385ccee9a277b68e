// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Tezos.js"
import { makeWire, runError, runIgnoring, runValue } from "./wire.js"

const contractId = "KT1Hkg5qeNhfwpKW4fXvq7HGZB9z2EnmCCA9"

describe("an Octez node", () => {
  it("is asked about the head of the main chain where a call says nothing else", async () => {
    const { client, sent } = makeWire(endpoints)
    await runIgnoring(client.getBlockHeader())
    expect(sent()[1]).toBe("/chains/main/blocks/head/header")
    await runIgnoring(client.getContractBalance({ contractId, block: 3000000n }))
    expect(sent()[1]).toBe(`/chains/main/blocks/3000000/context/contracts/${contractId}/balance`)
    await runIgnoring(client.getManagerKey("tz1", { block: "head~2", chainId: "test" }))
    expect(sent()[1]).toBe("/chains/test/blocks/head~2/context/contracts/tz1/manager_key")
    await runIgnoring(client.getBlockHashes({ head: ["BL1", "BL2"], minDate: "2023-01-01T00:00:00Z" }))
    expect(sent()[1]).toBe("/chains/main/blocks?head=BL1&head=BL2&min_date=2023-01-01T00%3A00%3A00Z")
  })

  it("is asked for what newer protocols know of bakers, stakes and addresses", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    const block = "/chains/main/blocks/head"
    answers('"12"')
    expect(await runValue(client.getDelegateOwnFullBalance({ delegate: "tz1" }))).toBe("12")
    expect(sent()).toEqual(["GET", `${block}/context/delegates/tz1/own_full_balance`, undefined])
    await runValue(client.getDelegateStakingDenominator({ delegate: "tz1", block: "head~1" }))
    expect(sent()[1]).toBe("/chains/main/blocks/head~1/context/delegates/tz1/staking_denominator")
    await runValue(client.getContractStakingNumerator({ contractId: "tz1" }))
    expect(sent()[1]).toBe(`${block}/context/contracts/tz1/staking_numerator`)
    answers("null")
    expect(await runValue(client.getDestinationIndex({ destination: contractId }))).toBeNull()
    expect(sent()[1]).toBe(`${block}/context/destination/${contractId}/index`)
    expect(await runValue(client.getAdaptiveIssuanceLaunchCycle())).toBeNull()
    expect(sent()[1]).toBe(`${block}/context/adaptive_issuance_launch_cycle`)
    await runValue(client.getTz4BakerNumberRatio({ cycle: 42 }))
    expect(sent()[1]).toBe(`${block}/helpers/tz4_baker_number_ratio?cycle=42`)
    await runValue(client.getDalShards({ level: 7, delegates: ["tz1", "tz2"] }))
    expect(sent()[1]).toBe(`${block}/context/dal/shards?level=7&delegates=tz1&delegates=tz2`)
    await runValue(client.getProposalCount({ delegate: "tz1" }))
    expect(sent()[1]).toBe(`${block}/votes/proposal_count/tz1`)
    await runValue(client.getSmartRollupCommitment({ rollup: "sr1", commitmentHash: "src1" }))
    expect(sent()[1]).toBe(`${block}/context/smart_rollups/smart_rollup/sr1/commitment/src1`)
    await runValue(client.getBakingPowerDistribution())
    expect(sent()[1]).toBe(`${block}/helpers/baking_power_distribution_for_current_cycle`)
  })

  it("tells changes of balances apart by their kind", async () => {
    const { answers, client } = makeWire(endpoints)
    answers({
      balance_updates: [
        { kind: "minted", category: "baking rewards", change: "-167251", origin: "block" },
        {
          kind: "freezer",
          category: "deposits",
          staker: { baker_own_stake: "tz3" },
          change: "167251",
          origin: "block"
        }
      ],
      test_chain_status: { status: "not_running" },
      attestations: { total_committee_power: "7000", threshold: "4667", recorded_power: "6998" },
      preattestations: null
    })
    const {
      attestations,
      balance_updates = [],
      preattestations,
      test_chain_status
    } = await runValue(client.getBlockMetadata())
    const bakers = balance_updates.flatMap((update) =>
      update.kind === "freezer" && update.category === "deposits" ? [update.staker?.baker_own_stake] : []
    )
    expect(bakers).toEqual(["tz3"])
    expect(test_chain_status.status).toBe("not_running")
    expect(attestations?.threshold).toBe("4667")
    expect(preattestations).toBeNull()
  })

  it("gets bodies that are a text, a list or an object", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers('"ooHash"')
    expect(await runValue(client.injectOperation({ operationBytes: "ddb2", chain: "main" }))).toBe("ooHash")
    expect(sent()).toEqual(["POST", "/injection/operation?chain=main", '"ddb2"'])
    answers([])
    await runValue(client.preapplyOperations({ operations: [] }))
    expect(sent()).toEqual(["POST", "/chains/main/blocks/head/helpers/preapply/operations", "[]"])
    answers({})
    await runValue(client.injectProtocol({ expectedEnvVersion: 8, components: [] }))
    expect(sent()).toEqual(["POST", "/injection/protocol", '{"expected_env_version":8,"components":[]}'])
  })

  it("gets the user's Michelson and operations as they are", async () => {
    const { client, sent } = makeWire(endpoints)
    const key = { prim: "Pair", args: [{ string: "aB" }], annots: ["%tokenId"], userKey: 1 } as const
    await runValue(
      client.getContractBigMapValue({ contractId, key, type: { prim: "address", annots: ["%aB"] } })
    )
    expect(JSON.parse(String(sent()[2]))).toEqual({ key, type: { prim: "address", annots: ["%aB"] } })
    const operation = { branch: "B", contents: [{ kind: "transaction", userKey: { innerKey: ["aB"] } }] }
    await runValue(
      client.simulateOperation({ operation, chain_id: "NetX", successorLevel: true, version: "1" })
    )
    expect(sent()).toEqual([
      "POST",
      "/chains/main/blocks/head/helpers/scripts/simulate_operation?version=1",
      JSON.stringify({ operation, chain_id: "NetX", successor_level: true })
    ])
    await runValue(client.forgeOperation({ operation }))
    expect(sent()[2]).toBe(JSON.stringify(operation))
  })

  it("says what is missing or no object before it sends anything", async () => {
    const { calls, client } = makeWire(endpoints)
    // @ts-expect-error the contract is missing
    expect(await runError(client.getContract({}))).toMatchObject({ reason: "contractId is missing" })
    // @ts-expect-error the address is missing
    expect(await runError(client.getManagerKey())).toMatchObject({ reason: "contractId is missing" })
    // @ts-expect-error a block alone is no input
    expect(await runError(client.getBlock("head"))).toMatchObject({ _tag: "InvalidArgument" })
    expect(calls).toHaveLength(0)
  })

  it("answers with scalars", async () => {
    const { answers, client } = makeWire(endpoints)
    answers('"18446744073709551615"')
    expect(await runValue(client.getContractBalance({ contractId }))).toBe("18446744073709551615")
    answers("null")
    expect(await runValue(client.getContractStakedBalance({ contractId }))).toBeNull()
    answers("false")
    expect(await runValue(client.getDelegateDeactivated({ delegate: "tz1" }))).toBe(false)
  })

  it("answers with integers that are exact, or none at all", async () => {
    const { answers, client } = makeWire(endpoints)
    answers("9007199254740991")
    expect(await runValue(client.getRound())).toBe(9007199254740991)
    answers("[9007199254740993]")
    expect(await runError(client.getCheckpoint())).toMatchObject({ kind: "malformed" })
    answers(`{"level":18446744073709551616}`)
    expect(await runError(client.getBlockHeader())).toMatchObject({ kind: "malformed" })
  })

  it.each([
    [500, [{ kind: "branch", id: "proto.024-PtTALLiN.contract.counter_in_the_past" }], "caller"],
    [500, [{ kind: "temporary", id: "proto.024-PtTALLiN.contract.balance_too_low" }], "caller"],
    [500, [{ kind: "permanent", id: "failure", msg: "no such thing" }], "caller"],
    [500, [{ kind: "temporary", id: "node.mempool.rejected_by_full_mempool" }], "elsewhere"],
    [500, [{ kind: "temporary", id: "node.busy" }], "node"],
    [500, [{ kind: "temporary", id: "store.block_not_found" }], "elsewhere"],
    [500, "Internal error", "node"],
    [404, "", "elsewhere"],
    [410, "", "elsewhere"],
    [410, [{ kind: "permanent", id: "context.pruned_block" }], "elsewhere"],
    [403, "Forbidden", "unclear"],
    [410, "Gone", "unclear"],
    [429, [{ kind: "permanent", id: "too.many" }], "node"]
  ])("answers %i with %j by the fault of: %s", async (status, body, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(body, status)
    const failed = await runError(client.injectOperation({ operationBytes: "00" }))
    expect(fault()).toBe(whose)
    expect(failed._tag).toBe(whose === "node" || whose === "unclear" ? "NodeError" : "RequestRejected")
  })

  it("says what the protocol said", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(
      [{ kind: "temporary", id: "proto.x.contract.balance_too_low", contract: "tz1", amount: "5" }],
      500
    )
    expect(await runError(client.injectOperation({ operationBytes: "00" }))).toMatchObject({
      status: 500,
      messages: ['proto.x.contract.balance_too_low: {"contract":"tz1","amount":"5"}']
    })
  })

  it("repeats only what is signed or changes nothing", () => {
    expect(endpoints.injectOperation.spec.repeat).toBe("broadcast")
    expect(endpoints.injectProtocol.spec.repeat).toBe("write")
    expect(endpoints.preapplyOperations.spec.repeat).toBe("read")
  })
})
