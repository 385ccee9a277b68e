import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { ensure } from "../../scripts/nodes.mjs"
import { endpoints } from "../../src/chains/Beacon.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { type Front, type Node, start, startFront } from "../nodes/process.js"
import { take } from "../results.js"

/** Of the minimal preset, which is made for tests. */
const SLOTS_PER_EPOCH = 8
const VALIDATORS = 8

const root = expect.stringMatching(/^0x[0-9a-f]{64}$/)
const decimal = expect.stringMatching(/^[0-9]+$/)

describe("the beacon routes on Lodestar", () => {
  let node: Node
  let seen: Front
  let sdk: PromiseSdk<"ethereum-mainnet">

  const head = async () => Number(take(await sdk.rpc.beacon.v1.getSyncingStatus()).data.head_slot)

  beforeAll(async () => {
    const file = ensure("lodestar")
    const port = await freePort()
    node = await start({
      command: process.execPath,
      args: (rest, folder) => [
        "--require",
        fileURLToPath(new URL("./withResolvers.cjs", import.meta.url)),
        file,
        "dev",
        `--dataDir=${folder}`,
        `--genesisValidators=${VALIDATORS}`,
        `--startValidators=0..${VALIDATORS - 1}`,
        `--genesisTime=${Math.floor(Date.now() / 1000) + 3}`,
        "--reset",
        "--rest.namespace=*",
        `--rest.port=${rest}`,
        // its validators would look for it at its default port
        `--beaconNodes=http://127.0.0.1:${rest}`,
        "--eth1=false",
        "--execution.engineMock",
        "--params.SECONDS_PER_SLOT=2",
        "--params.ALTAIR_FORK_EPOCH=0",
        // with an execution payload from the start, its mock of an execution client never leaves synchronisation
        "--params.BELLATRIX_FORK_EPOCH=1000000",
        "--discv5=false",
        "--mdns=false",
        "--listenAddress=127.0.0.1",
        `--port=${port}`
      ],
      env: { NODE_BACKEND: "js", LODESTAR_PRESET: "minimal" },
      ready: async (url) => (await fetch(`${url}/eth/v1/node/syncing`)).ok,
      within: 50_000
    })
    seen = await startFront(node.url)
    sdk = await init({
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url: seen.url }] },
      retryDelay: 10,
      quiet: true
    })
    await vi.waitUntil(async () => (await head()) > 2, { timeout: 40_000, interval: 500 })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await seen?.close()
    await node?.stop()
  })

  it("reads the configuration", async () => {
    const { v1 } = sdk.rpc.beacon
    const genesis = take(await v1.getGenesis()).data
    expect(genesis).toEqual({
      genesis_time: decimal,
      genesis_validators_root: root,
      genesis_fork_version: "0x01000001"
    })
    const spec = take(await v1.getSpec()).data
    expect(spec).toMatchObject({
      PRESET_BASE: "minimal",
      SECONDS_PER_SLOT: "2",
      SLOTS_PER_EPOCH: String(SLOTS_PER_EPOCH)
    })
    expect(spec.TERMINAL_TOTAL_DIFFICULTY).toBe(String(2n ** 256n - 2n ** 10n))
    expect(take(await v1.getForkSchedule()).data).toContainEqual({
      previous_version: "0x00000001",
      current_version: "0x01000001",
      epoch: "0"
    })
    expect(take(await v1.getDepositContract()).data).toEqual({
      chain_id: decimal,
      address: "0x1234567890123456789012345678901234567890"
    })
  })

  it("reads blocks, and knows their heights", async () => {
    const { v1, v2 } = sdk.rpc.beacon
    const slot = await head()
    const blockId = String(slot)
    const header = take(await v1.getBlockHeader({ blockId })).data
    expect(header).toMatchObject({
      root,
      canonical: true,
      header: { message: { slot: blockId, state_root: root } }
    })
    expect(take(await v1.getBlockRoot({ blockId })).data).toEqual({ root: header.root })
    expect(take(await v1.getBlockHeaders({ slot })).data).toMatchObject([{ root: header.root }])
    const parentRoot = header.header.message.parent_root
    expect(take(await v1.getBlockHeaders({ parentRoot })).data).toMatchObject([{ root: header.root }])
    expect(take(await v1.getBlockHeaders()).data).toHaveLength(1)
    const block = take(await v2.getBlock({ blockId: header.root }))
    expect(block).toMatchObject({
      version: "altair",
      data: { message: { slot: blockId, parent_root: parentRoot } }
    })
    const [attestation] = take(await v1.getBlockAttestations({ blockId })).data
    expect(attestation).toMatchObject({ data: { slot: String(slot - 1), beacon_block_root: parentRoot } })
    expect(take(await v1.getBlockRoot({ blockId: "genesis" })).data.root).toMatch(/^0x/)
    const heads = take(await v2.getHeads()).data
    expect(Number(heads[0]?.slot)).toBeGreaterThanOrEqual(slot)
  })

  it("reads states", async () => {
    const { v1, v2 } = sdk.rpc.beacon
    const slot = await head()
    const stateId = String(slot)
    const { root: blockState } = take(await v1.getStateRoot({ stateId })).data
    expect(take(await v1.getBlockHeader({ blockId: stateId })).data.header.message.state_root).toBe(
      blockState
    )
    expect(take(await v1.getStateFork({ stateId })).data).toMatchObject({
      current_version: "0x01000001",
      epoch: "0"
    })
    const validators = take(await v1.getStateValidators({ stateId })).data
    expect(validators.map(({ index }) => Number(index))).toEqual([...Array(VALIDATORS).keys()])
    expect(validators[1]).toMatchObject({ status: "active_ongoing", validator: { slashed: false } })
    // names of lists are repeated in the query, as the specification has it
    const two = take(
      await v1.getStateValidators({ stateId, id: [1, 2], status: ["active_ongoing", "exited_slashed"] })
    ).data
    expect(two).toEqual(validators.slice(1, 3))
    expect(take(await v1.getStateValidators({ stateId, status: "exited_slashed" })).data).toEqual([])
    expect(take(await v1.getStateValidator({ stateId, validatorId: 1 })).data).toEqual(validators[1])
    const publicKey = validators[1]?.validator.pubkey ?? ""
    expect(take(await v1.getStateValidator({ stateId, validatorId: publicKey })).data).toEqual(validators[1])
    // by index this version finds nobody here
    const id = [0, 3].map((i) => validators[i]?.validator.pubkey ?? "")
    const balances = take(await v1.getStateValidatorBalances({ stateId, id })).data
    expect(balances).toEqual([0, 3].map((i) => ({ index: String(i), balance: validators[i]?.balance })))
    expect(Number(balances[0]?.balance)).toBeGreaterThan(31e9)
    const committees = take(await v1.getStateCommittees({ stateId, epoch: 0 })).data
    expect(
      committees
        .flatMap((committee) => committee.validators)
        .map(Number)
        .sort()
    ).toEqual([...Array(VALIDATORS).keys()])
    // this version takes slots for indices and indices for slots, in filters and answers alike
    const filtered = take(await v1.getStateCommittees({ stateId, epoch: 0, slot: 0, index: 1 })).data
    expect(filtered).toMatchObject([{ slot: "0", index: "1" }])
    expect(take(await v1.getStateSyncCommittees({ stateId, epoch: 0 })).data.validators).toHaveLength(32)
    expect(take(await v2.getState({ stateId })).data).toMatchObject({
      slot: stateId,
      balances: validators.map(({ balance }) => balance)
    })
  })

  it("reads the pool and the node", async () => {
    const { v1 } = sdk.rpc.beacon
    expect(take(await v1.getPoolProposerSlashings()).data).toEqual([])
    expect(take(await v1.getPoolVoluntaryExits()).data).toEqual([])
    expect(take(await v1.getPoolBlsToExecutionChanges()).data).toEqual([])
    expect(take(await v1.getNodeVersion()).data.version).toMatch(/^Lodestar\/v1\.5\.1/)
    const identity = take(await v1.getNodeIdentity()).data
    expect(identity).toMatchObject({ enr: expect.stringMatching(/^enr:/), metadata: { seq_number: decimal } })
    expect(take(await v1.getPeers({ state: ["connected", "connecting"], direction: "inbound" }))).toEqual({
      data: [],
      meta: { count: 0 }
    })
    expect(take(await v1.getPeerCount()).data.connected).toBe("0")
    // HTTP 200 without a body
    expect(take(await v1.getHealth())).toBeUndefined()
    const status = take(await v1.getSyncingStatus()).data
    expect(status).toMatchObject({ is_syncing: false, is_optimistic: false, sync_distance: decimal })
  })

  it("tells the caller's faults from the node's", async () => {
    const { v1 } = sdk.rpc.beacon
    // this version refuses in the shape of a proxy (`statusCode`), which is no word of the consensus layer
    const rejected = (status: number) => ({ _tag: "NodeError", status })
    expect((await v1.getStateRoot({ stateId: "xyz" })).error?.cause).toMatchObject(rejected(400))
    expect((await v1.getStateRoot({ stateId: 99_999 })).error?.cause).toMatchObject(rejected(404))
    expect((await v1.getPeer({ peerId: "nobody" })).error?.cause).toMatchObject(rejected(404))
    expect((await v1.getStateRandao({ stateId: "head" })).error?.cause).toMatchObject(rejected(404))
    expect(sdk.nodes()).toMatchObject([{ failed: false }])
    // this node says 500 to what the caller has got wrong: the SDK cannot know, and asks once more
    const before = seen.paths.length
    const out = await v1.getStateCommittees({ stateId: "head", epoch: 9_999 })
    expect(out.error?.cause).toMatchObject({ _tag: "NodeError", kind: "status", status: 500 })
    expect(seen.paths.length - before).toBe(2)
    expect(await head()).toBeGreaterThan(2)
  })

  it("serves light clients, and follows the chain to its finality", async () => {
    const { v1 } = sdk.rpc.beacon
    const checkpoints = async () => take(await v1.getStateFinalityCheckpoints({ stateId: "head" })).data
    expect(Number((await checkpoints()).current_justified.epoch)).toBeLessThan(3)
    const optimistic = take(await v1.getLightClientOptimisticUpdate()).data
    expect(optimistic).toMatchObject({
      attested_header: { beacon: { slot: decimal } },
      signature_slot: decimal
    })
    const updates = take(await v1.getLightClientUpdates({ startPeriod: 0, count: 1 }))
    expect(updates).toMatchObject([
      { version: "altair", data: { next_sync_committee: { pubkeys: { length: 32 } } } }
    ])

    await expect
      .poll(async () => Number((await checkpoints()).finalized.epoch), { timeout: 300_000, interval: 1_000 })
      .toBeGreaterThan(0)
    const { finalized } = await checkpoints()
    const block = take(await v1.getBlockHeader({ blockId: "finalized" })).data
    expect(block).toMatchObject({
      root: finalized.root,
      header: { message: { slot: String(Number(finalized.epoch) * SLOTS_PER_EPOCH) } }
    })
    // a block later than the state, whose signers have to have seen it
    const finalizedSlot = async () => {
      const update = await v1.getLightClientFinalityUpdate()
      return update.status === "SUCCESS" ? update.data.data.finalized_header.beacon?.slot : undefined
    }
    await expect.poll(finalizedSlot, { interval: 1_000 }).toBe(block.header.message.slot)
    const bootstrap = take(await v1.getLightClientBootstrap({ blockRoot: finalized.root })).data
    expect(bootstrap).toMatchObject({ header: { beacon: { slot: block.header.message.slot } } })
    expect(await head()).toBeGreaterThanOrEqual((Number(finalized.epoch) + 2) * SLOTS_PER_EPOCH)
  })

  it("has called every route that this node serves", async () => {
    const templates = (["v1", "v2"] as const).flatMap((version) =>
      Object.values(endpoints[version]).flatMap(({ spec }) =>
        spec.kind === "rest" && spec.verb === "GET" ? [`/eth/${version}${spec.template}`] : []
      )
    )
    const absent: Array<string> = []
    for (const template of templates) {
      const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/?]+")}(\\?|$)`)
      if (seen.paths.some((path) => pattern.test(path))) continue
      const response = await fetch(node.url + template.replaceAll(/\{[^}]+\}/g, "head"))
      expect(await response.text(), template).toContain(`Route GET:${template.split("{")[0]}`)
      absent.push(template)
    }
    console.log(`left out: ${absent.length} routes that came after Lodestar 1.5.1`)
    expect(absent.length).toBeLessThan(20)
  })
})
