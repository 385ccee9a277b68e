/**
 * Arguments to begin with: addresses of the sandbox's accounts where the network has those, and values that are valid on
 * the chain elsewhere.
 *
 * @since 0.1.0
 */
import { evmFamilies, type FamilyId, type Network } from "../../../src/data/Network.js"
import { info } from "../networks.js"
import type { Argument, Method } from "./model.js"
import { type InputTexts, inputKey } from "./values.js"

/**
 * The sources of examples: the network, accounts to name, and contracts that are there.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExampleContext {
  readonly network: Network
  readonly accounts: ReadonlyArray<string>
  readonly nft?: string | undefined
  readonly token?: string | undefined
  readonly inbox?: string | undefined
}

/** Well-known addresses, for families without accounts in the sandbox. */
const publicAddresses: Partial<Record<FamilyId, string>> = {
  tron: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  solana: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "algorand-algod": "Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA",
  "algorand-indexer": "Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA",
  utxo: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  doge: "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L",
  cosmos: "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh",
  eos: "eosio.token",
  stellar: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
  tezos: "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb",
  ton: "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs",
  xrp: "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"
}

const evm: ReadonlyArray<FamilyId> = evmFamilies

const HASH = `0x${"0".repeat(63)}1`

/** What an example of an argument depends on. */
interface ArgumentContext extends ExampleContext {
  readonly family: FamilyId
  readonly path: string
}

type MakeExample = (place: ArgumentContext) => string | undefined

const firstAccount: MakeExample = ({ accounts, family }) =>
  evm.includes(family) ? accounts[0] : publicAddresses[family]
const secondAccount: MakeExample = (surroundings) =>
  evm.includes(surroundings.family) ? surroundings.accounts[1] : firstAccount(surroundings)

/** Examples by the argument's name. The first pattern that matches counts. */
const exampleRules: ReadonlyArray<readonly [pattern: RegExp, make: MakeExample]> = [
  [
    /^(tokenAddress|contractAddress|collectionAddress|nftAddress)$/,
    ({ nft, path, token }) => (/^(rpc|token)\./.test(path) ? token : nft)
  ],
  [/^(to|recipient|receiver|spender|counterAddress)$/, secondAccount],
  [
    /^(address|from|owner|account|accountName|account_?[iI]d|addr|delegator_?addr(ess)?|delegate|pubkey|mint|wallet|minter)$/,
    firstAccount
  ],
  [
    /^(addresses|pubkeys)$/,
    (surroundings) =>
      firstAccount(surroundings) === undefined ? undefined : JSON.stringify([firstAccount(surroundings)])
  ],
  [
    /^(newestBlock|block|fromBlock|toBlock|blockTag|at|stateId|state_id)$/,
    ({ family }) => (evm.includes(family) ? "latest" : family === "tezos" ? "head" : "1")
  ],
  [
    /^(blockId|blockNumOrId|hashOrHeight|heightOrHash)$/,
    ({ family }) => (family === "evm-beacon" ? "head" : "1")
  ],
  [/^(block|transaction|tx)_?[hH]ash$/, ({ family }) => (evm.includes(family) ? HASH : undefined)],
  [/^(height|seqno|round|slot|num|blockIndex|index|position|transactionIndex|tokenId|workchain)$/, () => "1"],
  [/^(blockCount|count|limit|pageSize|blocks|nblocks)$/, () => "5"],
  [/^storageKeys$/, () => `["${HASH}"]`],
  [/^collectionAddresses$/, ({ nft }) => (nft === undefined ? undefined : JSON.stringify([nft]))],
  [/^contractId$/, firstAccount],
  [/^entrypoint$/, () => "default"],
  [/^(level|startSlot|startIndex)$/, () => "1"],
  [/^dataLength$/, () => "165"],
  [
    /^program$/,
    ({ family }) => (family === "solana" ? "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" : undefined)
  ],
  [/^traceTypes$/, () => '["trace"]'],
  [/^(currency)$/, () => "ETH"],
  [/^basePair$/, () => "EUR"],
  [/^denom$/, () => "uatom"],
  [/^url$/, ({ inbox }) => inbox],
  [/^data$/, () => "0x68656c6c6f"],
  [/^amount$/, () => "0.01"],
  [/^filter$/, () => '{ "fromBlock": "latest" }'],
  [/^chain_?id$/i, ({ family }) => (family === "kadena" ? "0" : undefined)],
  [/^chain$/, ({ family, network }) => (family === "kadena" ? "0" : network)],
  [/^hash$/, ({ family }) => (evm.includes(family) ? HASH : undefined)]
]

/** Examples of methods whose argument names say too little. */
const methodExamples: Readonly<Record<string, InputTexts>> = {
  "rpc.rawRpcCall": { "body/method": "eth_chainId", "body/params": "[]" },
  "rpc.rawBatchRpcCall": { bodies: '[{ "method": "eth_chainId" }, { "method": "eth_blockNumber" }]' },
  "notification.templates.create": { "template/format": "json", "template/keys": '{ "amount": "value" }' },
  "notification.templates.update": { "template/format": "json", "template/keys": '{ "amount": "value" }' },
  "rates.getCurrentRateBatch": { pairs: '[{ "currency": "ETH", "basePair": "EUR" }]' },
  "provider.get": {
    "request/path": "rate/ETH",
    "request/params": '{ "basePair": "EUR" }',
    "request/version": "V3"
  }
}

/**
 * An example of an argument, as it is typed into its input; undefined where none is known.
 *
 * @since 0.1.0
 * @category constants
 */
export const exampleOf = (
  path: string,
  { name, shape }: Argument,
  surroundings: ExampleContext
): string | undefined => {
  const { family } = info(surroundings.network)
  const made = exampleRules.find(([pattern]) => pattern.test(name))?.[1]({ ...surroundings, family, path })
  if (made !== undefined) return made
  if (shape.kind !== "scalar") return undefined
  if (shape.options !== undefined) return shape.options[0]
  return shape.of.length === 1 && shape.of[0] === "boolean" ? "false" : undefined
}

/** Optional fields that are filled in, since the call needs one of them. */
const prefilledFields: Readonly<Record<string, ReadonlyArray<string>>> = {
  "address.getBalance": ["address"],
  "address.getTransactions": ["address"],
  "token.getBalance": ["addresses"],
  "token.getAllFungibleTransactions": ["addresses"],
  "rpc.getTokenAccountsByDelegate": ["mint"],
  "rpc.getTokenAccountsByOwner": ["mint"],
  "nft.getBalance": ["address"],
  "nft.getAllNftTransactionsByAddress": ["address"],
  "rpc.call": ["to", "data"],
  "rpc.createAccessList": ["from", "to"],
  "rpc.estimateGas": ["from", "to"]
}

/**
 * The initial texts of a method's inputs: examples of its required arguments.
 *
 * @since 0.1.0
 * @category constants
 */
export const makeInitialTexts = ({ args, path }: Method, surroundings: ExampleContext): InputTexts => {
  const texts: Record<string, string> = {}
  for (const argument of args) {
    if (argument.shape.kind !== "object") {
      if (argument.optional !== true)
        texts[inputKey(argument)] = exampleOf(path, argument, surroundings) ?? ""
      continue
    }
    for (const field of argument.shape.fields) {
      const isWanted =
        (field.optional !== true && argument.optional !== true) ||
        prefilledFields[path]?.includes(field.name) === true
      if (isWanted) texts[inputKey(argument, field)] = exampleOf(path, field, surroundings) ?? ""
    }
  }
  return { ...texts, ...methodExamples[path] }
}
