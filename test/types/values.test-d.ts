/**
 * Programs that pass the values of each call to every call that takes them, by family: what one call gives, the next one takes, without
 * a cast or a conversion of the caller's.
 */
import { it } from "vitest"
import { isSameAddress, normalizeAddress } from "../../src/address.js"
import { contract } from "../../src/contracts.js"
import type { Result } from "../../src/data/CallResult.js"
import * as Units from "../../src/data/Units.js"
import { signer as algorandSigner } from "../../src/entries/signers/Algorand.js"
import { signer as bitcoinSigner } from "../../src/entries/signers/Bitcoin.js"
import { signer as cosmosSigner } from "../../src/entries/signers/Cosmos.js"
import { signer as evmSigner } from "../../src/entries/signers/Evm.js"
import { signer as solanaSigner } from "../../src/entries/signers/Solana.js"
import { signer as stellarSigner } from "../../src/entries/signers/Stellar.js"
import { signer as tezosSigner } from "../../src/entries/signers/Tezos.js"
import { signer as tonSigner } from "../../src/entries/signers/Ton.js"
import { signer as tronSigner } from "../../src/entries/signers/Tron.js"
import { signer as xrpSigner } from "../../src/entries/signers/Xrp.js"
import { init } from "../../src/promise.js"
import * as Webhook from "../../src/webhook.js"

/** The data of a result. */
const dataOf = async <A>(call: Promise<Result<A, unknown>>): Promise<A> => {
  const result = await call
  if (result.status === "ERROR") throw result.error
  return result.data
}

const mnemonic = ""
const url = "https://shop.example/hook"

const erc20 = [
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
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ name: "owner", type: "address" }],
    outputs: [{ name: "", type: "uint256" }]
  },
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256" }
    ]
  }
] as const

it("of EVM networks fit", async () => {
  const sdk = await init({ network: "ethereum-mainnet" })
  const { address, data, nft, notification, rpc, token } = sdk
  const chain = sdk.network
  const signer = await dataOf(evmSigner(sdk, { mnemonic }))

  // the signer's own address
  const wei = await dataOf(rpc.getBalance(signer.address))
  const held = await dataOf(address.getBalance({ address: signer.address }))
  await rpc.getTransactionCount(signer.address)
  await rpc.getCode(signer.address)
  await data.blockchains.getTransactionCount({ chain, address: signer.address })
  await notification.subscribe.addressEvent({ address: signer.address, url })
  await notification.getAll({ address: signer.address })
  isSameAddress(signer.address, held[0]?.address ?? "", chain)

  // amounts
  Units.format(wei, 18)
  const price = await dataOf(rpc.gasPrice())
  const sent = await dataOf(signer.send({ to: signer.address, amount: wei / 2n, maxFee: price * 21_000n }))
  await signer.send({ to: signer.address, amount: held[0]?.balance ?? "0" })
  await signer.send({ to: sent.prepared.to, amount: sent.prepared.amount, maxFee: sent.prepared.fee })
  await signer.sendTransaction({ to: signer.address, value: wei })
  Units.format(sent.prepared.fee, 18)

  // a payment's hash
  const receipt = await dataOf(rpc.waitForTransaction(sent.hash))
  const transaction = await dataOf(rpc.getTransactionByHash(sent.hash))
  await rpc.getTransactionReceipt(sent.hash)
  await rpc.debugTraceTransaction(sent.hash)
  await signer.speedUp(sent.hash)
  await signer.cancel(sent.hash)
  await data.blockchains.getTransaction({ chain, hash: sent.hash })
  await sdk.explorer.tx(sent.hash)

  // a receipt
  const made = receipt.contractAddress
  if (made !== null) {
    await rpc.getCode(made, receipt.blockNumber)
    await rpc.getStorageAt(made, "0x0", receipt.blockNumber)
    contract(sdk, { address: made, abi: erc20 })
    await token.getTokenMetadata({ tokenAddress: made })
    const [event = ""] = receipt.logs[0]?.topics ?? []
    await notification.subscribe.contractAddressLogEvent({ contractAddress: made, event, url })
  }
  const { blockHash, blockNumber } = receipt
  await rpc.getBlockByHash(blockHash)
  await rpc.getBlockByNumber(blockNumber, true)
  await rpc.getBalance(receipt.from, blockNumber)
  await rpc.getBlockReceipts(blockNumber)
  await rpc.getTransactionByBlockHashAndIndex(blockHash, receipt.transactionIndex)
  await rpc.getLogs({ address: receipt.from, fromBlock: blockNumber, toBlock: blockNumber })
  await data.blockchains.getBlockByHash({ chain, hash: blockHash })
  await data.blockchains.getBlock({ chain, blockNumber: Number(blockNumber) })
  Units.format(receipt.effectiveGasPrice, 9)

  // a transaction
  if (transaction !== null) {
    const { from, input, to, value } = transaction
    await rpc.call({ from, to, value, data: input }, transaction.blockNumber ?? "latest")
    await rpc.estimateGas({ from, to, value, gasPrice: receipt.effectiveGasPrice })
    await rpc.createAccessList({ from, to, value, data: input })
    await rpc.getTransactionCount(from, transaction.blockNumber ?? "latest")
    await signer.send({ to: from, amount: BigInt(value) })
    await signer.sendTransaction({ to: from, value: BigInt(value), data: input })
    Units.format(value, 18)
  }

  // a block
  const height = await dataOf(rpc.blockNumber())
  const block = await dataOf(rpc.getBlockByNumber(height, false))
  await rpc.feeHistory(4, height, [50])
  if (block !== null) {
    await rpc.getBlockByHash(block.hash ?? block.parentHash)
    await rpc.getBlockByNumber(block.number ?? height)
    await rpc.getBalance(block.miner ?? signer.address, block.number ?? height)
    await rpc.getBalance(signer.address, { blockHash: block.parentHash })
    for (const hash of block.transactions) await rpc.getTransactionReceipt(hash)
    Units.format(block.baseFeePerGas ?? 0n, 9)
  }

  // contracts, and their events
  const erc = contract(sdk, { address: signer.address, abi: erc20, signer })
  const balance = await dataOf(erc.read.balanceOf(signer.address, { block: blockNumber }))
  await erc.write.transfer(receipt.from, balance)
  await signer.sendToken({ to: receipt.from, amount: balance, token: erc.address })
  const [event] = await dataOf(erc.events.Transfer.list({ args: { to: receipt.from }, fromBlock: height }))
  if (event !== undefined) {
    const { from, to, value } = event.args
    const block = event.blockNumber ?? "latest"
    await erc.read.balanceOf(to, { block })
    await rpc.getBalance(from, block)
    await rpc.getTransactionReceipt(event.transactionHash ?? "")
    await erc.events.Transfer.list({ args: { from: to }, fromBlock: block })
    contract(sdk, { address: event.address, abi: erc20 })
    await address.getBalance({ addresses: [from, to] })
    await signer.sendToken({ to: from, amount: value, token: event.address })
  }

  // the data API: contracts take an address that is known to be one
  for (const each of held) {
    await rpc.getBalance(each.address)
    const owner = normalizeAddress(each.address, chain)
    if (owner !== undefined) await erc.read.balanceOf(owner)
    Units.parse(each.balance, each.decimals ?? 18)
    const { tokenAddress, tokenId } = each
    if (tokenAddress !== undefined) {
      await signer.sendToken({ to: each.address, amount: each.balance, token: tokenAddress })
      contract(sdk, { address: tokenAddress, abi: erc20 })
      if (tokenId !== undefined) await nft.getNftMetadata({ tokenAddress, tokenId })
    }
  }
  const [moved] = await dataOf(address.getTransactions({ address: signer.address }))
  if (moved !== undefined) {
    await rpc.getTransactionReceipt(moved.hash)
    await rpc.getBlockByNumber(moved.blockNumber ?? "latest")
    await rpc.getBalance(moved.counterAddress ?? moved.address)
    await signer.send({ to: moved.address, amount: moved.amount })
    await address.getTransactions({ address: moved.address, fromBlock: moved.blockNumber ?? 0 })
  }

  // webhooks
  const call = Webhook.decode("")
  if (call.status === "SUCCESS" && call.data.format === "movement") {
    const { address: paid, amount, blockNumber, counterAddress, txId } = call.data
    await rpc.getTransactionReceipt(txId)
    await rpc.getBlockByNumber(blockNumber ?? "latest")
    await signer.send({ to: counterAddress ?? paid, amount })
    isSameAddress(paid, signer.address, chain)
  }
})

it("of Bitcoin's kind fit", async () => {
  const sdk = await init({ network: "bitcoin-mainnet" })
  const { address, data, rpc } = sdk
  const chain = sdk.network
  const utxosOf = async (owner: string) =>
    dataOf(data.getUtxosByAddress({ chain, address: owner, totalValue: 1 }))
  const signer = await dataOf(bitcoinSigner(sdk, { mnemonic, utxos: utxosOf }))
  const [held] = await dataOf(address.getBalance({ address: signer.address }))
  const sent = await dataOf(signer.send({ to: signer.address, amount: held?.balance ?? "0" }))
  await signer.send({ to: sent.prepared.to, amount: sent.prepared.amount, maxFee: sent.prepared.fee })
  await signer.prepare({ to: signer.address, amount: 1n, without: sent.prepared.transaction.inputs })
  Units.format(sent.prepared.fee, 8)
  await rpc.waitForTransaction(sent.hash)
  await rpc.getRawTransaction(sent.hash)
  for (const { txid, vout } of sent.prepared.transaction.inputs) await rpc.getTxOut(txid, vout)
  for (const { txHash, index } of await utxosOf(signer.address)) await rpc.getTxOut(txHash, index)
  const height = await dataOf(rpc.getBlockCount())
  const hash = await dataOf(rpc.getBlockHash(height))
  await rpc.getBlock(hash)
  await rpc.getBlockHeader(hash)
  const [moved] = await dataOf(address.getTransactions({ address: signer.address }))
  if (moved !== undefined) {
    await rpc.getRawTransaction(moved.hash)
    await signer.send({ to: moved.address, amount: moved.amount })
    if (moved.blockNumber !== undefined) await rpc.getBlockHash(moved.blockNumber)
  }
  isSameAddress(signer.address, held?.address ?? "", chain)
})

it("of Solana fit", async () => {
  const sdk = await init({ network: "solana-mainnet" })
  const { address, rpc } = sdk
  const signer = await dataOf(solanaSigner(sdk, { mnemonic }))
  const { value: lamports } = await dataOf(rpc.getBalance(signer.address))
  const sent = await dataOf(signer.send({ to: signer.address, amount: lamports }))
  Units.format(lamports, 9)
  Units.format(sent.prepared.fee, 9)
  await rpc.waitForTransaction(sent.hash)
  await rpc.getTransaction(sent.hash)
  await rpc.getSignatureStatuses([sent.hash])
  const slot = await dataOf(rpc.getSlot())
  await rpc.getBlock(slot)
  await rpc.getBlockTime(slot)
  const [found] = await dataOf(rpc.getSignaturesForAddress(signer.address))
  if (found !== undefined) {
    await rpc.getTransaction(found.signature)
    await rpc.getBlock(found.slot)
  }
  for (const each of await dataOf(address.getBalance({ address: signer.address }))) {
    await rpc.getAccountInfo(each.address)
    if (each.tokenAddress !== undefined)
      await signer.sendToken({ to: each.address, amount: each.balance, token: each.tokenAddress })
  }
})

it("of Tron fit", async () => {
  const sdk = await init({ network: "tron-mainnet" })
  const { address, rpc } = sdk
  const signer = await dataOf(tronSigner(sdk, { mnemonic }))
  const account = await dataOf(rpc.getAccount(signer.address))
  const sent = await dataOf(signer.send({ to: signer.address, amount: account.balance ?? 1n }))
  Units.format(account.balance ?? 0n, 6)
  await rpc.getTransactionById(sent.hash)
  await rpc.getTransactionInfoById(sent.hash)
  for (const each of await dataOf(address.getBalance({ address: signer.address }))) {
    await rpc.getAccount(each.address)
    if (each.tokenAddress !== undefined)
      await signer.sendToken({ to: each.address, amount: each.balance, token: each.tokenAddress })
  }
  const usdt = contract(sdk, { address: signer.address, abi: erc20, signer })
  const balance = await dataOf(usdt.read.balanceOf(signer.address))
  await usdt.write.transfer(sent.prepared.to, balance)
  const [event] = await dataOf(usdt.events.Transfer.list({ args: { to: signer.address } }))
  if (event !== undefined) {
    await usdt.read.balanceOf(event.args.to)
    await rpc.getAccount(event.args.from)
    await signer.sendToken({ to: event.args.from, amount: event.args.value, token: event.address })
  }
})

it("of TON fit", async () => {
  const sdk = await init({ network: "ton-mainnet" })
  const { rpc } = sdk
  const signer = await dataOf(tonSigner(sdk, { mnemonic }))
  const sent = await dataOf(signer.send({ to: signer.address, amount: "1" }))
  await rpc.getAddressInformation(signer.address)
  Units.format(sent.prepared.fee, 9)
  isSameAddress(signer.address, sent.prepared.to, sdk.network)
})

it("of the XRP Ledger fit", async () => {
  const sdk = await init({ network: "ripple-mainnet" })
  const { address, rpc } = sdk
  const signer = await dataOf(xrpSigner(sdk, { mnemonic }))
  const [held] = await dataOf(address.getBalance({ address: signer.address }))
  const sent = await dataOf(signer.send({ to: signer.address, amount: held?.balance ?? "1" }))
  await rpc.tx(sent.hash)
  await rpc.accountInfo(signer.address)
  Units.format(sent.prepared.fee, 6)
})

it("of Stellar fit", async () => {
  const sdk = await init({ network: "stellar-mainnet" })
  const { rpc } = sdk
  const signer = await dataOf(stellarSigner(sdk, { mnemonic }))
  const sent = await dataOf(signer.send({ to: signer.address, amount: "1" }))
  await rpc.getTransaction({ transactionHash: sent.hash })
  await rpc.getAccount({ accountId: signer.address })
  Units.format(sent.prepared.fee, 7)
})

it("of Tezos fit", async () => {
  const sdk = await init({ network: "tezos-mainnet" })
  const { address } = sdk
  const signer = await dataOf(tezosSigner(sdk, { mnemonic }))
  const sent = await dataOf(signer.send({ to: signer.address, amount: "1" }))
  await address.getBalance({ address: sent.prepared.to })
  Units.format(sent.prepared.fee, 6)
})

it("of Algorand fit", async () => {
  const sdk = await init({ network: "algorand-mainnet-algod" })
  const { rpc } = sdk
  const signer = await dataOf(algorandSigner(sdk, { mnemonic }))
  const account = await dataOf(rpc.getAccountInfo({ address: signer.address, exclude: "all" }))
  const sent = await dataOf(signer.send({ to: account.address, amount: account.amount }))
  await rpc.getPendingTransaction({ txid: sent.hash })
  Units.format(account.amount, 6)
})

it("of Cosmos fit", async () => {
  const sdk = await init({ network: "cosmos-mainnet" })
  const { rpc } = sdk
  const signer = await dataOf(cosmosSigner(sdk, { mnemonic }))
  const sent = await dataOf(signer.send({ to: signer.address, amount: "1" }))
  await rpc.getTxByHash(sent.hash)
  await rpc.getAccountDetails({ address: signer.address })
  Units.format(sent.prepared.fee, 6)
})
