/** Types of the hooks of a dapp: what follows from an ABI, from the network and from a signer. */
import * as Redacted from "effect/Redacted"
import { expectTypeOf, it } from "vitest"
import {
  type ContractFailure,
  useEnsAddress,
  useEnsName,
  useReadContract,
  useReadContracts,
  useSimulateContract,
  useSuspenseEnsAddress,
  useSuspenseEnsName,
  useSuspenseReadContract,
  useSuspenseReadContracts,
  useSuspenseSimulateContract,
  useSuspenseWatchContractEvent,
  useWatchContractEvent,
  useWriteContract
} from "../../react/contracts.js"
import {
  useAccount,
  useConnect,
  useConnectors,
  useDisconnect,
  useSendTransaction,
  useSuspenseAccount,
  useSuspenseConnectors,
  useSuspenseSdk,
  useSuspenseWaitForTransaction,
  useSuspenseWallet,
  useSwitchChain,
  useWaitForTransaction,
  useWallet,
  useWatch,
  useWatchBlocks,
  useWatchLogs
} from "../../react/index.js"
import { useSuspenseWatch, useSuspenseWatchBlocks, useSuspenseWatchLogs } from "../../react/reads.js"
import {
  useSend,
  useSigner,
  useSignMessage,
  useSignTypedData,
  useSuspenseSigner
} from "../../react/signers.js"
import type { Receipt } from "../../src/chains/Evm.js"
import type { ContractError } from "../../src/contracts/index.js"
import type { Result } from "../../src/data/CallResult.js"
import type { SolanaSigner, SolanaTransaction } from "../../src/signers/Solana.js"
import * as Solana from "../../src/signers/Solana.js"

const abi = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ name: "owner", type: "address" }],
    outputs: [{ name: "", type: "uint256" }]
  },
  {
    type: "function",
    name: "symbol",
    stateMutability: "view",
    inputs: [],
    outputs: [{ name: "", type: "string" }]
  },
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" }
    ],
    outputs: [{ name: "", type: "bool" }]
  },
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "value", type: "uint256" }
    ]
  }
] as const

const address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const owner = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
const network = "ethereum-mainnet"

it("follow from the ABI", async () => {
  const read = useReadContract({ address, abi, functionName: "balanceOf", args: [owner] }, { network })
  expectTypeOf(read.data).toEqualTypeOf<bigint | undefined>()
  expectTypeOf(read.error).toEqualTypeOf<ContractFailure | undefined>()
  // no arguments are needed
  expectTypeOf(useReadContract({ address, abi, functionName: "symbol" }, { network }).data).toEqualTypeOf<
    string | undefined
  >()
  expectTypeOf(
    useReadContract(
      { address, abi, functionName: "balanceOf", args: [owner, { block: 5n }] },
      { network, select: (balance) => balance > 0n }
    ).data
  ).toEqualTypeOf<boolean | undefined>()
  expectTypeOf(
    useSuspenseReadContract({ address, abi, functionName: "symbol" }, { network }).data
  ).toEqualTypeOf<string>()
  // @ts-expect-error it is no function that is read
  useReadContract({ address, abi, functionName: "transfer", args: [owner, 1n] }, { network })
  // @ts-expect-error it takes an address
  useReadContract({ address, abi, functionName: "balanceOf" }, { network })
  // @ts-expect-error an amount is no address
  useReadContract({ address, abi, functionName: "balanceOf", args: [1n] }, { network })
  const several = useReadContracts(
    [
      { address, abi, functionName: "symbol" },
      { address, abi, functionName: "balanceOf", args: [owner] }
    ],
    { network }
  )
  expectTypeOf(several.data).toEqualTypeOf<
    readonly [Result<string, ContractError>, Result<bigint, ContractError>] | undefined
  >()
  // @ts-expect-error an amount is no address
  useReadContracts([{ address, abi, functionName: "balanceOf", args: [1n] }], { network })
  expectTypeOf(
    useSimulateContract(
      { address, abi, functionName: "transfer", args: [owner, 1n, { from: owner }] },
      { network }
    ).data
  ).toEqualTypeOf<boolean | undefined>()
  const { data, run } = useWriteContract({ network })
  expectTypeOf(data?.hash).toEqualTypeOf<string | undefined>()
  const sent = await run({
    address,
    abi,
    functionName: "transfer",
    args: [owner, 1n, { confirmations: 2 }]
  })
  if (sent.status === "SUCCESS") expectTypeOf(sent.data.hash).toEqualTypeOf<string>()
  // @ts-expect-error it is read, not written
  await run({ address, abi, functionName: "balanceOf", args: [owner] })
  // @ts-expect-error it is paid nothing
  await run({ address, abi, functionName: "transfer", args: [owner, 1n, { value: 1n }] })
  useWatchContractEvent(
    { address, abi, eventName: "Transfer", args: { from: owner } },
    ({ args }) => expectTypeOf(args.value).toEqualTypeOf<bigint>(),
    { network }
  )
  const event = useSuspenseWatchContractEvent(
    { address, abi, eventName: "Transfer", args: { from: owner } },
    { network, select: ({ args }) => args.value }
  )
  expectTypeOf(event.data).toEqualTypeOf<bigint>()
  expectTypeOf(useEnsName(undefined).data).toEqualTypeOf<string | null | undefined>()
  const found = useEnsAddress("vitalik.eth", { network })
  expectTypeOf(found.data).toEqualTypeOf<string | null | undefined>()
  // @ts-expect-error a name is a text
  useEnsAddress(5n)
})

it("are certain in their twins for Suspense", () => {
  const balance = { address, abi, functionName: "balanceOf", args: [owner] } as const
  expectTypeOf(useSuspenseReadContracts([balance], { network }).data).toEqualTypeOf<
    readonly [Result<bigint, ContractError>]
  >()
  expectTypeOf(
    useSuspenseSimulateContract(
      { address, abi, functionName: "transfer", args: [owner, 1n, { from: owner }] },
      { network }
    ).data
  ).toEqualTypeOf<boolean>()
  expectTypeOf(useSuspenseEnsName(owner).data).toEqualTypeOf<string | null>()
  expectTypeOf(useSuspenseEnsAddress("vitalik.eth").data).toEqualTypeOf<string | null>()
  // @ts-expect-error it waits for a name, so there has to be an address
  useSuspenseEnsName(undefined)
  const waiting = useWaitForTransaction("0x0", { network, allowFailure: false })
  const receipt = waiting.data
  if (waiting.error?._tag === "TransactionFailed")
    expectTypeOf(waiting.error.receipt).toEqualTypeOf<Receipt>()
  expectTypeOf(useSuspenseWaitForTransaction("0x0", { network }).data).toEqualTypeOf<
    NonNullable<typeof receipt>
  >()
  // @ts-expect-error it waits for a transaction, so there has to be a hash
  useSuspenseWaitForTransaction(undefined, { network })
  const wallet = useWallet({ network })
  expectTypeOf(wallet.account).toEqualTypeOf<string | undefined>()
  expectTypeOf(useSuspenseWallet({ network }).data).toEqualTypeOf<NonNullable<typeof wallet.data>>()
})

it("follow from the wallet and from what is watched", async () => {
  const { data: wallets } = useConnectors({ network })
  const connected = await useConnect({ network }).run(wallets?.[0])
  if (connected.status === "SUCCESS") expectTypeOf(connected.data).toEqualTypeOf<string>()
  await useDisconnect({ network }).run()
  await useSwitchChain({ network }).run("base-mainnet")
  // @ts-expect-error a chain is the id of a network
  await useSwitchChain({ network }).run("elsewhere")
  const paid = await useSendTransaction({ network }).run({ to: owner, value: "1" })
  if (paid.status === "SUCCESS") expectTypeOf(paid.data).toEqualTypeOf<string>()
  useWatch(
    "rpc.subscribe.newPendingTransactions",
    [],
    (hash) => expectTypeOf(hash).toEqualTypeOf<`0x${string}`>(),
    {
      network
    }
  )
  // @ts-expect-error it is asked, and not watched
  useWatch("rpc.getBalance", [owner], () => {}, { network })
  useWatchLogs({ address }, ({ topics }) => expectTypeOf(topics).not.toBeAny(), { network })
  const { data: signer } = useSigner(
    Solana.make,
    { mnemonic: Redacted.make("") },
    { network: "solana-mainnet" }
  )
  const signed = await useSignMessage({ signer }).run("Hello")
  if (signed.status === "SUCCESS") expectTypeOf(signed.data).toEqualTypeOf<string>()
  // @ts-expect-error accounts of Solana sign no typed data
  useSignTypedData({ signer })
  expectTypeOf(useSignTypedData({ network }).data).toEqualTypeOf<string | undefined>()
})

it("follow from the signer and from the network", async () => {
  const { data: signer } = useSigner(
    Solana.make,
    { mnemonic: Redacted.make("") },
    { network: "solana-mainnet" }
  )
  expectTypeOf(signer).toEqualTypeOf<SolanaSigner | undefined>()
  const sent = await useSend(signer).run({ to: "", amount: "1" })
  if (sent.status === "SUCCESS")
    expectTypeOf(sent.data.prepared.transaction).toEqualTypeOf<SolanaTransaction>()
  // @ts-expect-error a signer is made from something that it knows
  useSigner(Solana.make, { words: "" })
  const twin = useSuspenseSigner(Solana.make, { mnemonic: Redacted.make("") }, { network: "solana-mainnet" })
  expectTypeOf(twin.data).toEqualTypeOf<SolanaSigner>()
  // @ts-expect-error it waits for a signer, so there has to be something to make it from
  useSuspenseSigner(Solana.make, undefined)
  expectTypeOf(useSuspenseWatchBlocks({ network }).data.number).toEqualTypeOf<`0x${string}`>()
  expectTypeOf(useSuspenseWatchLogs({ address }, { network }).data.topics).not.toBeAny()
  const pending = useSuspenseWatch("rpc.subscribe.newPendingTransactions", [], { network })
  expectTypeOf(pending.data).toEqualTypeOf<`0x${string}`>()
  // @ts-expect-error it is asked, and not watched
  useSuspenseWatch("rpc.getBalance", [owner], { network })
  expectTypeOf(useSuspenseAccount({ network }).data.chainId).toEqualTypeOf<bigint | undefined>()
  expectTypeOf(useSuspenseConnectors({ network }).data.length).toEqualTypeOf<number>()
  expectTypeOf(useSuspenseSdk({ network }).network).not.toBeAny()
  useWatchBlocks(({ number }) => expectTypeOf(number).toEqualTypeOf<`0x${string}`>(), { network })
  expectTypeOf(useWaitForTransaction(undefined, { network }).data).not.toBeAny()
  expectTypeOf(useAccount({ network }).data?.chainId).toEqualTypeOf<bigint | undefined>()
})
