/**
 * The wallets of the page: to connect one, to send with it, and to follow the transfers.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import { type FormEvent, type ReactElement, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import { parse } from "../../../src/data/Units.js"
import type { DiscoveredWallet } from "../../../src/services/WalletProvider.js"
import { useBalance, useConnect, useSendTransaction, useWallet } from "../../index.js"
import { usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import {
  Amount,
  Badge,
  Button,
  Empty,
  ErrorBox,
  Field,
  LinkedAddress,
  OwnBalance,
  Panel,
  Skeleton,
  TextInput
} from "../ui/index.js"
import type { SandboxWallet } from "./SandboxWallet.js"
import { type SentTransfer, Transfers } from "./Transfers.js"
import { useSandboxWallet } from "./useSandboxWallet.js"
import "./wallet.css"
import { findEvmDefinition, info, supports } from "../networks.js"

const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

const Wallets = (props: {
  readonly wallets: ReadonlyArray<DiscoveredWallet>
  readonly connected: boolean
  readonly busy: boolean
  readonly onConnect: (wallet: DiscoveredWallet) => void
}): ReactElement =>
  props.wallets.length === 0 ? (
    <Empty title="No wallet on this page">
      Wallets announce themselves (EIP-6963). On the sandbox there is one built in, and extensions are found
      too.
    </Empty>
  ) : (
    <ul className="list-plain divide">
      {props.wallets.map((wallet) => (
        <li key={wallet.uuid} className="wallet-row">
          <img className="wallet-icon" src={wallet.icon} alt="" width={32} height={32} />
          <span className="grow">
            <span className="wallet-name">{wallet.name}</span>
            <span className="hint mono truncate wallet-rdns">{wallet.rdns}</span>
          </span>
          <Button
            kind={props.connected ? "quiet" : "primary"}
            busy={props.busy}
            aria-label={`${props.connected ? "Use" : "Connect"} ${wallet.name}`}
            onClick={() => props.onConnect(wallet)}
          >
            {props.connected ? "Use" : "Connect"}
          </Button>
        </li>
      ))}
    </ul>
  )

const ProviderBalance = (props: { readonly account: string; readonly network: Network }): ReactElement => {
  const { account, network } = props
  const query = { address: account, tokenTypes: ["native"] } as const
  const { data } = useBalance(query, { network, refresh: "blocks" })
  return data?.[0] === undefined ? (
    <span className="muted">…</span>
  ) : (
    <Amount value={data[0].balance} symbol={info(network).symbol} flash />
  )
}

/** Chooses the account of the sandbox's wallet, or disconnects it. */
const SandboxAccountForm = (props: {
  readonly account: string
  readonly accounts: ReadonlyArray<string>
  readonly wallet: SandboxWallet
}): ReactElement => {
  const { account, accounts, wallet } = props
  return (
    <div className="row">
      <Field label="Account of the sandbox wallet">
        {(field) => (
          <select
            {...field}
            className="input mono"
            value={account}
            onChange={(event) => wallet.setAccount(event.target.value)}
          >
            {accounts.map((address, i) => (
              <option key={address} value={address}>
                {`${i + 1}: ${address.slice(0, 10)}…${address.slice(-6)}`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button className="wallet-leave" onClick={() => wallet.setAccount(undefined)}>
        Disconnect
      </Button>
    </div>
  )
}

/** The account and the chain of the connected wallet. */
const Connected = (props: {
  readonly account: string
  readonly chainId: bigint | undefined
  readonly network: Network
  readonly own: SandboxWallet | undefined
  readonly accounts: ReadonlyArray<string>
}): ReactElement => {
  const { account, accounts, chainId, network, own } = props
  const definition = findEvmDefinition(network)
  const wanted = info(network).chainId
  const isThere = chainId === undefined || Number(chainId) === wanted
  const isOwn = accounts.some((address) => address.toLowerCase() === account.toLowerCase())
  return (
    <div className="stack-2 wallet-account">
      <div className="spread">
        <span className="row">
          <Badge tone="ok" dot>
            Connected
          </Badge>
          <LinkedAddress value={account} />
        </span>
        <span className="wallet-balance">
          {definition === undefined ? (
            <ProviderBalance account={account} network={network} />
          ) : (
            <OwnBalance address={account} network={definition} />
          )}
        </span>
      </div>
      <p className="hint">
        {isThere
          ? `On chain ${chainId ?? wanted}, that of ${network}.`
          : `On chain ${chainId}. ${network} is chain ${wanted}: the wallet is asked to go there before it sends.`}
      </p>
      {own === undefined || !isOwn ? null : (
        <SandboxAccountForm account={account} accounts={accounts} wallet={own} />
      )}
    </div>
  )
}

/** The fields of a transfer, and the transfers that were sent. Problems are shown after the first try. */
const useTransferForm = (network: Network, accounts: ReadonlyArray<string>) => {
  const { log } = usePlayground()
  const { decimals, symbol } = info(network)
  const [to, setTo] = useState(accounts[1] ?? "")
  const [amount, setAmount] = useState("0.5")
  const [tried, setTried] = useState(false)
  const [sent, setSent] = useState<ReadonlyArray<SentTransfer>>([])
  const send = useSendTransaction({ network })
  const value = Option.getOrUndefined(parse(amount.trim(), decimals))
  const problems: { readonly to?: string | undefined; readonly amount?: string | undefined } = {
    to: isAddress(to.trim()) ? undefined : "An address is 0x and 40 hexadecimal digits",
    amount:
      value === undefined || value < 0n
        ? `An amount in ${symbol}, with ${decimals} decimals at most`
        : undefined
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    if (problems.to !== undefined || value === undefined || problems.amount !== undefined) return
    const target = to.trim()
    const outcome = await send.run({ to: target, value })
    if (outcome.status === "ERROR") return
    log(`Sent ${amount.trim()} ${symbol}`)
    setSent((all) =>
      [{ hash: outcome.data, to: target, amount: amount.trim(), at: Date.now() }, ...all].slice(0, 8)
    )
  }
  return { to, setTo, amount, setAmount, value, submit, send, sent, problems: tried ? problems : {} }
}

const Send = (props: {
  readonly network: Network
  readonly account: string | undefined
  readonly accounts: ReadonlyArray<string>
}): ReactElement => {
  const { account, accounts, network } = props
  const { symbol } = info(network)
  const { amount, problems, send, sent, setAmount, setTo, submit, to, value } = useTransferForm(
    network,
    accounts
  )
  return (
    <Panel
      id="wallet-send"
      span="half"
      title="Send"
      hint="The wallet signs and sends; the pool of nodes watches for the receipt."
      code={
        <ShowCode
          title="Sending with a wallet"
          network={network}
          path="wallet.signAndBroadcast"
          args={[{ to, value: value ?? 0n }]}
          hook="useSendTransaction"
        />
      }
    >
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <Field label="To" error={problems.to}>
          {(field) => <TextInput {...field} list="wallet-recipients" value={to} onText={setTo} />}
        </Field>
        <datalist id="wallet-recipients">
          {accounts.map((address) => (
            <option key={address} value={address} />
          ))}
        </datalist>
        <div className="field-row">
          <div className="grow">
            <Field label={`Amount in ${symbol}`} error={problems.amount}>
              {(field) => (
                <input
                  {...field}
                  className="input mono tabular"
                  inputMode="decimal"
                  autoComplete="off"
                  value={amount}
                  onChange={(event) => setAmount(event.target.value)}
                />
              )}
            </Field>
          </div>
          <Button
            type="submit"
            kind="primary"
            busy={send.status === "loading"}
            disabled={account === undefined}
          >
            {send.status === "loading" ? "The wallet asks…" : "Send"}
          </Button>
        </div>
        {account === undefined ? <p className="hint">Connect a wallet first.</p> : null}
      </form>
      {send.status === "error" ? (
        <div className="wallet-error">
          <ErrorBox error={send.error} title="Nothing was sent" />
        </div>
      ) : null}
      <Transfers sent={sent} network={network} />
    </Panel>
  )
}

const Wallet = ({ network }: { readonly network: Network }): ReactElement => {
  const { isOnSandbox, sandbox } = usePlayground()
  const own = useSandboxWallet()
  const waiting = isOnSandbox && own === undefined
  // the first `useWallet` asks wallets to announce themselves, so the sandbox's wallet must be installed before
  return waiting ? (
    <Panel title="Wallets" span="half">
      <Skeleton lines={5} />
    </Panel>
  ) : (
    <Ready
      network={network}
      own={own}
      accounts={isOnSandbox ? (sandbox?.accounts ?? []).map(({ address }) => address) : []}
    />
  )
}

const Ready = (props: {
  readonly network: Network
  readonly own: SandboxWallet | undefined
  readonly accounts: ReadonlyArray<string>
}): ReactElement => {
  const { accounts, network, own } = props
  const { account, chainId, isConnected, wallets } = useWallet({ network })
  const connect = useConnect({ network })
  const { log } = usePlayground()
  return (
    <>
      <Panel
        id="wallets"
        span="half"
        title="Wallets"
        hint="Found on the page by their announcements. Keys stay in the wallet."
        code={<ShowCode title="Wallets" network={network} path="wallet.getWallet" hook="useWallet" />}
      >
        <div className="stack">
          <Wallets
            wallets={wallets}
            connected={isConnected}
            busy={connect.status === "loading"}
            onConnect={(wallet) => {
              void connect.run(wallet).then((outcome) => {
                if (outcome.status === "SUCCESS") log(`Connected ${wallet.name}`)
              })
            }}
          />
          {connect.status === "error" ? <ErrorBox error={connect.error} title="Not connected" /> : null}
          {account === undefined ? null : (
            <Connected account={account} chainId={chainId} network={network} own={own} accounts={accounts} />
          )}
        </div>
      </Panel>
      <Send network={network} account={account} accounts={accounts} />
    </>
  )
}

/**
 * Wallets of the selected network.
 *
 * @since 0.1.0
 * @category components
 */
export const WalletPanel = (): ReactElement => {
  const { network } = usePlayground()
  return supports(network, "wallet") ? (
    <Wallet network={network} />
  ) : (
    <Panel title="Wallets">
      <Empty title="No browser wallets here">
        Wallets of this kind (EIP-1193) are for EVM chains. {network} has none; pick another network above.
      </Empty>
    </Panel>
  )
}
