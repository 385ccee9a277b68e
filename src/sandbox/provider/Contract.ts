/**
 * Deploys the contract templates on the sandbox's nodes, and mints with them. The provider pays from the node's last
 * account, with signed transactions.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { isNetwork, type Network } from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import { networkOfChain } from "../../services/internal/networks.js"
import {
  Address,
  type Deployment,
  group,
  type Mint,
  type MintFungible,
  type MintMultitoken,
  type Preparation
} from "../api/Contract.js"
import { type Invalid, makeInvalid, makeUnavailable, type Unavailable } from "../api/Refusal.js"
import * as Artefacts from "../contracts/artefacts.js"
import { withRealClock } from "../Loopback.js"
import { Nodes, type NodesService } from "../Nodes.js"
import { abi } from "../Packages.js"
import type { SandboxError } from "../SandboxError.js"

/** The limit of the wait for a transaction. A slower one is not lost, since the answer has its hash. */
const RECEIPT_TIMEOUT = "10 seconds"

const UINT256_LIMIT = 2n ** 256n

const NO_TOKEN = "contractAddress must be a token with decimals (ERC-20)"

const failInvalid = (...data: ReadonlyArray<string>): Effect.Effect<never, Invalid> =>
  Effect.fail(makeInvalid("validation.failed", "Request validation failed.", data))

const Uint256 = Schema.transformOrFail(Schema.Union(Schema.String, Schema.Number), Schema.BigIntFromSelf, {
  strict: true,
  decode: (value, _, ast) => {
    const text = String(value)
    const number = /^(\d+|0x[0-9a-fA-F]+)$/.test(text) ? BigInt(text) : UINT256_LIMIT
    return number < UINT256_LIMIT
      ? ParseResult.succeed(number)
      : ParseResult.fail(
          new ParseResult.Type(ast, value, "must be a whole number of at most 256 bits, decimal or 0x")
        )
  },
  encode: (value) => ParseResult.succeed(String(value))
})
const Uint8 = Schema.Union(Schema.Number, Schema.NumberFromString).pipe(Schema.int(), Schema.between(0, 255))

const readFungible = Schema.decodeUnknown(
  Schema.Tuple(
    Schema.String,
    Schema.String,
    Uint8,
    Uint256,
    Address,
    Address,
    Address,
    Address,
    Schema.optionalElement(Uint256)
  )
)
const readNft = Schema.decodeUnknown(
  Schema.Tuple(Schema.String, Schema.String, Schema.String, Address, Address)
)
const readMultitoken = Schema.decodeUnknown(Schema.Tuple(Address, Address, Schema.String))

/** The data that deploys a template, from its constructor's arguments in order. */
const encodeDeployment = ({
  contractType,
  params
}: typeof Preparation.Type): Effect.Effect<string, Invalid | Unavailable> =>
  Effect.gen(function* () {
    const { AbiConstructor } = yield* Effect.mapError(abi, ({ message }) => makeUnavailable(message))
    switch (contractType) {
      case "fungible": {
        const [name, symbol, decimals, supply, holder, admin, minter, pauser, cap = 0n] =
          yield* readFungible(params)
        return AbiConstructor.encode(Artefacts.Fungible.abi, {
          bytecode: Artefacts.Fungible.bytecode,
          args: [name, symbol, decimals, supply, holder, admin, minter, pauser, cap]
        })
      }
      case "nft": {
        const args = yield* readNft(params)
        return AbiConstructor.encode(Artefacts.Nft.abi, { bytecode: Artefacts.Nft.bytecode, args })
      }
      case "multitoken": {
        const args = yield* readMultitoken(params)
        return AbiConstructor.encode(Artefacts.Multitoken.abi, {
          bytecode: Artefacts.Multitoken.bytecode,
          args
        })
      }
    }
  }).pipe(
    Effect.catchTag("ParseError", (error) =>
      failInvalid(
        ...ParseResult.ArrayFormatter.formatErrorSync(error).map(
          ({ message, path }) => `${["params", ...path.map(String)].join(".")} ${message}`
        )
      )
    )
  )

const toUnits = (field: string, amount: string, decimals: number): Effect.Effect<string, Invalid> => {
  const parsed = Units.parse(amount, decimals)
  return parsed._tag === "Some" && parsed.value >= 0n && parsed.value < UINT256_LIMIT
    ? Effect.succeed(String(parsed.value))
    : failInvalid(`${field} must have at most ${decimals} digits after the point, and fit into 256 bits`)
}

/** The constructor arguments of a deployment. Roles without an address go to the owner. `account` is the provider's. */
const toPreparation = (
  deployment: typeof Deployment.Type,
  account: string
): Effect.Effect<typeof Preparation.Type, Invalid> =>
  Effect.gen(function* () {
    const { contractType, owner } = deployment
    switch (contractType) {
      case "fungible": {
        const {
          admin = owner,
          cap,
          decimals,
          initialHolder,
          minter = owner,
          name,
          pauser = owner
        } = deployment
        const supply = yield* toUnits("initialSupply", deployment.initialSupply, decimals)
        const limit = cap === undefined ? "0" : yield* toUnits("cap", cap, decimals)
        const params = [
          name,
          deployment.symbol,
          decimals,
          supply,
          initialHolder,
          admin,
          minter,
          pauser,
          limit
        ]
        return { contractType, params }
      }
      case "nft": {
        const { baseURI, minter = account, name, symbol } = deployment
        return { contractType, params: [name, symbol, baseURI, owner, minter] }
      }
      case "multitoken": {
        const { baseURI, minter = owner } = deployment
        return { contractType, params: [owner, minter, baseURI] }
      }
    }
  })

/** The network of a chain, by its id or the provider's name. */
const findEvmNetwork = (chain: string, runs: NodesService["kindOf"]): Effect.Effect<Network, Invalid> => {
  const mainnet = `${chain}-mainnet`
  const network = isNetwork(mainnet) ? mainnet : networkOfChain(chain)
  if (network === undefined) return failInvalid(`chain ${chain} is not the name of a network`)
  return runs(network) === "evm"
    ? Effect.succeed(network)
    : Effect.fail(
        makeInvalid(
          "chain.not.supported",
          `The sandbox has no contracts on ${network}: it runs no node of its kind. Use a network of the EVM.`
        )
      )
}

/** A revert is the caller's fault. Any other failure of a node is not. */
const toRefusal = ({ message }: SandboxError): Invalid | Unavailable => {
  const [, reason] = /execution reverted:?\s*(.*)$/s.exec(message) ?? []
  return reason === undefined ? makeUnavailable(message) : makeReverted(reason)
}

const makeReverted = (reason: string): Invalid =>
  makeInvalid("contract.reverted", `The contract reverted: ${reason === "" ? "it gave no reason" : reason}`)

interface UnsignedTransaction {
  readonly from: string
  readonly to?: string
  readonly data: string
}

const isAddresses = Schema.is(Schema.NonEmptyArray(Address))
const isHash = Schema.is(Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]{64}$/)))
const isHex = Schema.is(Schema.TemplateLiteral("0x", Schema.String))
const isReceipt = Schema.is(Schema.Struct({ status: Schema.String, blockNumber: Schema.String }))

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const makeChainCalls = ({ rpc, kindOf }: NodesService) => {
  const ask = (network: Network, method: string, ...params: ReadonlyArray<unknown>) =>
    Effect.mapError(rpc(network, method, params), toRefusal)

  /** The accounts that the node signs for. The provider uses the last one, since tests use the first ones. */
  const accountsOf = (network: Network) =>
    Effect.flatMap(ask(network, "eth_accounts"), (accounts) =>
      isAddresses(accounts)
        ? Effect.succeed({ accounts, provider: accounts.at(-1) ?? accounts[0] })
        : Effect.fail(
            makeUnavailable(`The nodes of ${network} have no accounts that the provider could pay from`)
          )
    )

  const awaitReceipt = (network: Network, hash: string) =>
    Effect.filterOrFail(
      ask(network, "eth_getTransactionReceipt", hash),
      isReceipt,
      () => "pending" as const
    ).pipe(
      Effect.retry({
        while: (error) => error === "pending",
        schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo(RECEIPT_TIMEOUT))
      }),
      withRealClock
    )

  /**
   * Sends a transaction and waits until it is in a block. Fails with the contract's reason. The call is simulated
   * before it is sent, since nodes mine reverting transactions, and again if it failed in its block.
   */
  const send = (network: Network, transaction: UnsignedTransaction) =>
    Effect.gen(function* () {
      yield* ask(network, "eth_call", transaction, "latest")
      const hash = yield* ask(network, "eth_sendTransaction", transaction)
      if (!isHash(hash))
        return yield* Effect.fail(makeUnavailable(`A node of ${network} accepted no transaction`))
      const answer = { txId: hash }
      return yield* awaitReceipt(network, hash).pipe(
        Effect.flatMap(({ blockNumber, status }) =>
          Number(status) === 1
            ? Effect.succeed(answer)
            : Effect.zipRight(
                ask(network, "eth_call", transaction, blockNumber),
                Effect.fail(makeReverted(`transaction ${hash} failed in block ${Number(blockNumber)}`))
              )
        ),
        Effect.catchAll((error) => (error === "pending" ? Effect.succeed(answer) : Effect.fail(error)))
      )
    })

  return { ask, accountsOf, send, of: (chain: string) => findEvmNetwork(chain, kindOf) }
}

/** An id or amount of items, which the contract takes as 256 bits. */
const parseWord = (field: string, text: string): Effect.Effect<bigint, Invalid> => {
  const value = BigInt(text)
  return value < UINT256_LIMIT ? Effect.succeed(value) : failInvalid(`${field} must fit into 256 bits`)
}

const loadEncoder = Effect.map(
  Effect.mapError(abi, ({ message }) => makeUnavailable(message)),
  ({ AbiFunction }) => AbiFunction
)

const makeMinters = ({ accountsOf, ask, of, send }: ReturnType<typeof makeChainCalls>) => {
  const mintWith = <E>(
    { chain, contractAddress, minter }: Pick<typeof Mint.Type, "chain" | "contractAddress" | "minter">,
    encode: (network: Network) => Effect.Effect<string, E>
  ) =>
    Effect.gen(function* () {
      const network = yield* of(chain)
      const { accounts, provider } = yield* accountsOf(network)
      if ((yield* ask(network, "eth_getCode", contractAddress, "latest")) === "0x")
        return yield* failInvalid(`contractAddress ${contractAddress} is not a contract on ${network}`)
      const data = yield* encode(network)
      const signer =
        minter === undefined ? provider : accounts.find((account) => isSameAddress(account, minter))
      if (signer === undefined)
        // Without the minter's key, a call in its name shows whether it may mint. Then the provider sends the
        // transaction.
        yield* ask(network, "eth_call", { from: minter, to: contractAddress, data }, "latest")
      return yield* send(network, { from: signer ?? provider, to: contractAddress, data })
    })

  const mint = (minting: typeof Mint.Type) =>
    Effect.gen(function* () {
      const id = yield* parseWord("tokenId", minting.tokenId)
      const { encodeData, fromAbi } = yield* loadEncoder
      const method = fromAbi(Artefacts.Nft.abi, "mintWithTokenURI")
      return yield* mintWith(minting, () => Effect.succeed(encodeData(method, [minting.to, id, minting.url])))
    })

  const mintFungible = (minting: typeof MintFungible.Type) =>
    Effect.gen(function* () {
      const { decodeResult, encodeData, from } = yield* loadEncoder
      const method = from("function mint(address to, uint256 amount)")
      const decimals = from("function decimals() view returns (uint8)")
      return yield* mintWith(minting, (network) =>
        Effect.gen(function* () {
          const call = { to: minting.contractAddress, data: encodeData(decimals) }
          const said = yield* ask(network, "eth_call", call, "latest")
          const digits = yield* Effect.try({
            try: () => decodeResult(decimals, isHex(said) ? said : "0x"),
            catch: () => makeInvalid("validation.failed", "Request validation failed.", [NO_TOKEN])
          })
          const amount = yield* toUnits("amount", minting.amount, digits)
          return encodeData(method, [minting.to, BigInt(amount)])
        })
      )
    })

  const mintMultitoken = (minting: typeof MintMultitoken.Type) =>
    Effect.gen(function* () {
      const id = yield* parseWord("tokenId", minting.tokenId)
      const amount = yield* parseWord("amount", minting.amount)
      const { encodeData, from } = yield* loadEncoder
      const method = from("function mint(address to, uint256 id, uint256 amount, bytes data)")
      return yield* mintWith(minting, () =>
        Effect.succeed(encodeData(method, [minting.to, id, amount, minting.data]))
      )
    })

  return { mint, mintFungible, mintMultitoken }
}

type SentTransaction = Effect.Effect<{ readonly txId: string }, Invalid | Unavailable>

/**
 * The operations behind the routes; see `layer`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractsService {
  readonly deploy: (deployment: typeof Deployment.Type) => SentTransaction
  readonly mint: (minting: typeof Mint.Type) => SentTransaction
  readonly mintFungible: (minting: typeof MintFungible.Type) => SentTransaction
  readonly mintMultitoken: (minting: typeof MintMultitoken.Type) => SentTransaction
}

/**
 * Makes the operations over the nodes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const deployAndMint: Effect.Effect<ContractsService, never, Nodes> = Effect.map(Nodes, (nodes) => {
  const chain = makeChainCalls(nodes)
  const deploy = (deployment: typeof Deployment.Type) =>
    Effect.gen(function* () {
      const network = yield* chain.of(deployment.chain)
      const { provider } = yield* chain.accountsOf(network)
      const data = yield* Effect.flatMap(toPreparation(deployment, provider), encodeDeployment)
      return yield* chain.send(network, { from: provider, data })
    })

  return { deploy, ...makeMinters(chain) }
})

const api = HttpApi.make("provider").add(group)

/**
 * Deploys the templates of `contracts/*.sol` and mints with them. The answer comes when the transaction is in a block,
 * or after 10 seconds without one. A contract that reverts is a refusal with its reason (400, `contract.reverted`). It
 * leaves nothing on the chain, unless another transaction came in between. Chains without an EVM node here are refused
 * (`chain.not.supported`).
 *
 * The `minter` and the `pauser` are the owner by default. Without a `minter`, the provider mints NFTs itself. In the
 * name of a `minter` whose key the node does not have, the provider mints only in collections that it has deployed.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "contract">,
  never,
  Nodes
> = HttpApiBuilder.group(api, "contract", (handlers) =>
  Effect.map(deployAndMint, ({ deploy, mint, mintFungible, mintMultitoken }) =>
    handlers
      .handle("deploy", ({ payload }) => deploy(payload))
      .handle("prepare", ({ payload }) => Effect.map(encodeDeployment(payload), (data) => ({ data })))
      .handle("mint", ({ payload }) => mint(payload))
      .handle("mintFungible", ({ payload }) => mintFungible(payload))
      .handle("mintMultitoken", ({ payload }) => mintMultitoken(payload))
  )
)
