/** A chain of Tron in memory: it reads what is broadcast by tronweb's protocol buffers, and takes or refuses it as java-tron does. */
import * as Effect from "effect/Effect"
import { utils } from "tronweb"
import { RequestRejected } from "../../src/data/SdkError.js"
import type { TronProposalCalls } from "../../src/signers/tron/proposal.js"
import { tronParameters } from "./parameters.js"

interface Key {
  readonly address: string
  readonly weight: bigint
}

interface Permission {
  id?: bigint
  threshold: bigint
  operations?: string
  keys: ReadonlyArray<Key>
}

export interface TronAccount {
  balance: bigint
  owner?: Permission
  actives?: ReadonlyArray<Permission>
  [field: string]: unknown
}

/** The parts of tronweb's messages that are read here. */
interface Message {
  readonly getRawData: () => Message
  readonly serializeBinary: () => Uint8Array
  readonly getContractList: () => ReadonlyArray<Message>
  readonly getType: () => number
  readonly getPermissionId: () => number
  readonly getParameter: () => Message
  readonly getValue_asU8: () => Uint8Array
  readonly getSignatureList_asU8: () => ReadonlyArray<Uint8Array>
  readonly getExpiration: () => number
  readonly getFeeLimit: () => number
  readonly getRefBlockBytes_asU8: () => Uint8Array
  readonly getRefBlockHash_asU8: () => Uint8Array
  readonly getOwnerAddress_asU8: () => Uint8Array
  readonly getToAddress_asU8: () => Uint8Array
  readonly getAmount: () => number
}

type Protocol = Readonly<Record<string, { readonly deserializeBinary: (bytes: Uint8Array) => Message }>>

/** The messages of tronweb, which it keeps there. */
const protocol = (): Protocol => Reflect.get(globalThis, "TronWebProto") as Protocol

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")
const base58Of = (bytes: Uint8Array): string => utils.address.fromHex(hexOf(bytes))

export const DAY = 86_400_000

/** Seconds between blocks. */
const BLOCK_MS = 3_000

const blockIdOf = (height: number): string =>
  `${height.toString(16).padStart(16, "0")}${Buffer.from(`block ${height}`).toString("hex").padEnd(48, "7")}`

/** What java-tron says with HTTP 200, as clients tell it. */
const refuse = (code: string, message: string) =>
  Effect.fail(
    new RequestRejected({
      call: "broadcastHex",
      status: 200,
      messages: [`${code}: ${message}`],
      body: "",
      url: "http://node.example"
    })
  )

/** Weighs signatures as java-tron does: each is of another key of the permission, and none is beside. */
const weigh = (
  id: string,
  signatures: ReadonlyArray<string>,
  { keys, threshold }: Permission
): string | undefined => {
  if (signatures.length > keys.length) return "Signature count is more than the key counts of permission"
  const seen = new Set<string>()
  let weight = 0n
  for (const signature of signatures) {
    const address = utils.address.fromHex(utils.crypto.ecRecover(id, signature))
    const key = keys.find((each) => each.address === address)
    if (key === undefined) return `but it is not contained of permission: ${address}`
    if (seen.has(address)) return `${address} has signed twice!`
    seen.add(address)
    weight += key.weight
  }
  return weight < threshold ? `validate signature error: weight ${weight} < ${threshold}` : undefined
}

export const makeTronChain = (accounts: Record<string, TronAccount>) => {
  const at = { height: 60_000_000, time: 1_700_000_000_000 }
  const sent: Array<string> = []
  const pending: Array<string> = []
  const blocks = new Map<string, object>()
  const failures = new Map<string, object>()
  const energy = { used: 30_000n }
  const price = (name: string): bigint =>
    tronParameters.chainParameter.find(({ key }) => key === name)?.value ?? 0n
  /** A block, which has what was broadcast. */
  const close = () => {
    at.height += 1
    at.time += BLOCK_MS
    for (const id of pending.splice(0))
      blocks.set(id, { id, blockNumber: BigInt(at.height), ...failures.get(id) })
  }
  const word = (value: bigint): string => value.toString(16).padStart(64, "0")
  const rpc: TronProposalCalls = {
    broadcastHex: (raw) =>
      Effect.suspend(() => {
        const { Transaction, TransferContract } = protocol()
        const transaction = Transaction?.deserializeBinary(Uint8Array.from(Buffer.from(raw, "hex")))
        if (transaction === undefined || TransferContract === undefined)
          throw new Error("tronweb is not there")
        const body = transaction.getRawData()
        const [contract, ...others] = body.getContractList()
        if (contract === undefined || others.length > 0)
          return refuse("CONTRACT_VALIDATE_ERROR", "no contract")
        const id = utils.transaction.txPbToTxID(transaction).replace("0x", "")
        if (blocks.has(id) || pending.includes(id)) return refuse("DUP_TRANSACTION_ERROR", "Dup transaction.")
        const height = [...Array(60_000).keys()]
          .map((back) => at.height - back)
          .find((each) => blockIdOf(each).slice(12, 16) === hexOf(body.getRefBlockBytes_asU8()))
        if (height === undefined || blockIdOf(height).slice(16, 32) !== hexOf(body.getRefBlockHash_asU8()))
          return refuse("TAPOS_ERROR", "Tapos check error")
        if (body.getExpiration() <= at.time || body.getExpiration() > at.time + DAY)
          return refuse("TRANSACTION_EXPIRATION_ERROR", "Transaction expired")
        const value = TransferContract.deserializeBinary(contract.getParameter().getValue_asU8())
        const from = base58Of(value.getOwnerAddress_asU8())
        const account = accounts[from]
        const permissionId = contract.getPermissionId()
        const permission =
          permissionId === 0
            ? (account?.owner ?? { threshold: 1n, keys: [{ address: from, weight: 1n }] })
            : account?.actives?.find((each) => Number(each.id ?? 0n) === permissionId)
        if (account === undefined || permission === undefined)
          return refuse("SIGERROR", "permission isn't exit")
        const type = contract.getType()
        const operations = Buffer.from(permission.operations ?? "", "hex")
        if (permissionId > 0 && (((operations[type >> 3] ?? 0) >> (type & 7)) & 1) === 0)
          return refuse("SIGERROR", "Permission denied")
        const signatures = transaction.getSignatureList_asU8().map(hexOf)
        const problem = weigh(id, signatures, permission)
        if (problem !== undefined) return refuse("SIGERROR", problem)
        const bytes = BigInt(raw.length / 2 + 64) * price("getTransactionFee")
        const paid = type === 1 ? BigInt(value.getAmount()) : energy.used * price("getEnergyFee")
        account.balance -= paid + bytes + (signatures.length > 1 ? price("getMultiSignFee") : 0n)
        pending.push(id)
        sent.push(raw)
        return Effect.succeed({ result: true })
      }),
    getAccount: (address) =>
      Effect.sync(() => {
        const account = accounts[address]
        if (account === undefined) return {}
        const { actives, owner, ...rest } = account
        return {
          address,
          ...rest,
          ...(owner === undefined ? {} : { owner_permission: owner }),
          ...(actives === undefined ? {} : { active_permission: actives })
        }
      }),
    getAccountResources: () => Effect.succeed({ freeNetLimit: 600n }),
    getBlockByNum: (height) =>
      Effect.sync(() => ({
        blockID: blockIdOf(height),
        block_header: {
          raw_data: { number: BigInt(height), timestamp: BigInt(at.time - (at.height - height) * BLOCK_MS) }
        }
      })),
    getChainParameters: () => Effect.succeed(tronParameters),
    getNowBlock: () => rpc.getBlockByNum(at.height),
    getTransactionById: (txID) => Effect.sync(() => (blocks.has(txID) ? { txID } : {})),
    getTransactionFromPending: (txID) => Effect.sync(() => (pending.includes(txID) ? { txID } : {})),
    getTransactionInfoById: (id) => Effect.sync(() => blocks.get(id) ?? {}),
    triggerConstantContract: (_, __, selector) =>
      Effect.sync(() => ({
        result: { result: true },
        energy_used: energy.used,
        constant_result: [
          selector === "decimals()"
            ? word(6n)
            : selector.startsWith("balanceOf")
              ? word(250_000_000n)
              : word(1n)
        ]
      }))
  }
  return { accounts, at, blocks, close, energy, failures, pending, rpc, sent }
}
