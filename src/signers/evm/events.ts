/** What events of tokens and collections say: what moves, and who may take it. Logs of nodes are untrusted. */
import type { Hex } from "../../chains/evm/Types.js"
import { isRecord } from "../../data/untrusted.js"

/** Something that moves: coins without a `contract`, tokens, or an item of a collection. */
export interface Movement {
  readonly contract?: string
  readonly item?: { readonly standard: "erc721" | "erc1155"; readonly id: bigint }
  readonly from: string
  readonly to: string
  readonly units: bigint
}

/** An allowance after the transaction: of tokens (`units`), of one item (`id`), or of a whole collection. It is none if it is not `given`. */
export interface Allowance {
  readonly contract: string
  readonly owner: string
  readonly spender: string
  readonly units?: bigint
  readonly id?: bigint
  readonly given: boolean
  /** The contract that keeps it, where it is not the token itself: one to which the owner has given an allowance before. */
  readonly keeper?: string
}

/** A right over a contract that its holder gives to somebody: what it is, as the end of a sentence about the contract. */
export interface Handover {
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly right: "owner" | "role"
}

/** An event of a contract. */
interface EventLog {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

export const ZERO = `0x${"0".repeat(40)}`

/** The address whose transfers are those of coins in answers of `eth_simulateV1` (execution-apis). */
const COIN_ADDRESS = `0x${"e".repeat(40)}`

const addressOf = (word: string | undefined = ""): string => `0x${word.slice(-40).toLowerCase()}`

/** A number of an event's data, by its place. Absent words are zeros, as they are for contracts. */
const wordOf = (data: string, at: number): bigint =>
  BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at) || "0"}`)

/** A list of numbers in an event's data, whose place has its offset. */
const listOf = (data: string, at: number): ReadonlyArray<bigint> => {
  const start = Number(wordOf(data, at)) / 32
  const length = Number(wordOf(data, start))
  const isThere = Number.isSafeInteger(start) && (start + 1 + length) * 64 <= data.length - 2
  return isThere ? Array.from({ length }, (_, each) => wordOf(data, start + 1 + each)) : []
}

export type ReadEvent = (log: EventLog) => {
  readonly movements?: ReadonlyArray<Movement>
  readonly allowances?: ReadonlyArray<Allowance>
  readonly handovers?: ReadonlyArray<Handover>
}

/** An allowance that another contract than the token keeps, as Permit2 does. */
const readKeptAllowance: ReadEvent = ({ address: keeper, data, topics: [, of, token, to] }) => {
  if (to === undefined) return {}
  const units = wordOf(data, 0)
  const parties = { contract: addressOf(token), owner: addressOf(of), spender: addressOf(to) }
  return { allowances: [{ ...parties, units, given: units > 0n, keeper }] }
}

const readOwner: ReadEvent = ({ address: contract, topics: [, from, to] }) =>
  to === undefined
    ? {}
    : { handovers: [{ contract, from: addressOf(from), to: addressOf(to), right: "owner" }] }

const readRole: ReadEvent = ({ address: contract, topics: [, , to, from] }) =>
  from === undefined
    ? {}
    : { handovers: [{ contract, from: addressOf(from), to: addressOf(to), right: "role" }] }

const readTransfer: ReadEvent = ({ address, data, topics: [, from, to, id] }) => {
  const between = { from: addressOf(from), to: addressOf(to) }
  if (from === undefined || to === undefined) return {}
  if (address === COIN_ADDRESS) return { movements: [{ ...between, units: wordOf(data, 0) }] }
  return id === undefined
    ? { movements: [{ contract: address, ...between, units: wordOf(data, 0) }] }
    : {
        movements: [
          { contract: address, item: { standard: "erc721", id: BigInt(id) }, ...between, units: 1n }
        ]
      }
}

const readItems =
  (read: (data: string) => ReadonlyArray<readonly [id: bigint, units: bigint]>): ReadEvent =>
  ({ address, data, topics: [, , from, to] }) => ({
    movements: read(data).map(([id, units]) => ({
      contract: address,
      item: { standard: "erc1155", id },
      from: addressOf(from),
      to: addressOf(to),
      units
    }))
  })

/**
 * What events of the token standards mean, by their first topics: ERC-20, ERC-721, ERC-1155, and wrapped coins (WETH9). With them those of
 * Permit2, and those by which contracts get other owners (ERC-173, and the roles of OpenZeppelin).
 */
export const eventReaders: Readonly<
  Record<string, { readonly signature: string; readonly read: ReadEvent }>
> = {
  "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef": {
    signature: "Transfer(address,address,uint256)",
    read: readTransfer
  },
  "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62": {
    signature: "TransferSingle(address,address,address,uint256,uint256)",
    read: readItems((data) => [[wordOf(data, 0), wordOf(data, 1)]])
  },
  "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb": {
    signature: "TransferBatch(address,address,address,uint256[],uint256[])",
    read: readItems((data) => {
      const units = listOf(data, 1)
      return listOf(data, 0).map((id, at) => [id, units[at] ?? 0n])
    })
  },
  "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c": {
    signature: "Deposit(address,uint256)",
    read: ({ address, data, topics: [, to] }) =>
      to === undefined
        ? {}
        : { movements: [{ contract: address, from: ZERO, to: addressOf(to), units: wordOf(data, 0) }] }
  },
  "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65": {
    signature: "Withdrawal(address,uint256)",
    read: ({ address, data, topics: [, from] }) =>
      from === undefined
        ? {}
        : { movements: [{ contract: address, from: addressOf(from), to: ZERO, units: wordOf(data, 0) }] }
  },
  "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925": {
    signature: "Approval(address,address,uint256)",
    read: ({ address, data, topics: [, of, to, id] }) => {
      const parties = { contract: address, owner: addressOf(of), spender: addressOf(to) }
      const units = wordOf(data, 0)
      return {
        allowances: [
          id === undefined
            ? { ...parties, units, given: units > 0n }
            : { ...parties, id: BigInt(id), given: parties.spender !== ZERO }
        ]
      }
    }
  },
  "0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b": {
    signature: "Approval(address,address,address,uint160,uint48)",
    read: readKeptAllowance
  },
  "0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec": {
    signature: "Permit(address,address,address,uint160,uint48,uint48)",
    read: readKeptAllowance
  },
  "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0": {
    signature: "OwnershipTransferred(address,address)",
    read: readOwner
  },
  "0x38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e22700": {
    signature: "OwnershipTransferStarted(address,address)",
    read: readOwner
  },
  "0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d": {
    signature: "RoleGranted(bytes32,address,address)",
    read: readRole
  },
  "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31": {
    signature: "ApprovalForAll(address,address,bool)",
    read: ({ address, data, topics: [, of, to] }) => ({
      allowances: [
        { contract: address, owner: addressOf(of), spender: addressOf(to), given: wordOf(data, 0) !== 0n }
      ]
    })
  }
}

/** The sentences about rights over contracts that an account gives away, each once. `spell` writes addresses. */
export const warnOfHandovers = (
  account: string,
  handovers: ReadonlyArray<Handover>,
  spell: (address: string) => string
): ReadonlyArray<string> => [
  ...new Set(
    handovers
      .filter(({ from, to }) => from === account && to !== account)
      .map(({ contract, right, to }) =>
        right === "role"
          ? `It would give ${spell(to)} rights over the contract ${spell(contract)}.`
          : to === ZERO
            ? `It would give up the contract ${spell(contract)}, which nobody could own any more.`
            : `It would give the contract ${spell(contract)} to ${spell(to)}.`
      )
  )
]

export const isHex = (value: unknown, pattern: RegExp): value is Hex =>
  typeof value === "string" && pattern.test(value)

export const ADDRESS = /^0x[0-9a-f]{40}$/i
const WORD = /^0x[0-9a-f]{64}$/i
const BYTES = /^0x(?:[0-9a-f]{2})*$/i

/** The list of an answer's member, which is absent where it is empty. */
export const membersOf = (value: unknown): ReadonlyArray<unknown> => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new TypeError("a list was expected")
}

export const parseLog = (log: unknown): EventLog => {
  if (!isRecord(log) || !isHex(log.address, ADDRESS) || !isHex(log.data, BYTES))
    throw new TypeError("a log has no address or no data")
  const topics = membersOf(log.topics).map((topic) => {
    if (!isHex(topic, WORD)) throw new TypeError("a topic of a log must be 32 bytes")
    return topic.toLowerCase()
  })
  return { address: log.address.toLowerCase(), topics, data: log.data }
}

export const readEvent: ReadEvent = (log) => {
  const [topic = ""] = log.topics
  return Object.hasOwn(eventReaders, topic) ? (eventReaders[topic]?.read(log) ?? {}) : {}
}
