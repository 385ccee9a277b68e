import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react"
import type { Sdk } from "../../../src/client/Sdk.js"
import { parse } from "../../../src/data/Units.js"
import { useSdk } from "../../index.js"
import { info, isEvm } from "../networks.js"
import { run, useAdmin, usePlayground } from "../session.js"
import { Button, Empty, ErrorBox, Field, Icon, Panel, Segments, TextInput } from "../ui/index.js"

const readsPerSecond = { off: 0, "4": 4, "20": 20, "60": 60 } as const

type Rate = keyof typeof readsPerSecond

/** Makes one of four common reads, in turn. */
const makeRead = (sdk: Sdk, address: string, turn: number): Effect.Effect<unknown, unknown> | undefined => {
  const { rpc } = sdk
  if (!("getTransactionCount" in rpc && "gasPrice" in rpc)) return undefined
  switch (turn % 4) {
    case 0:
      return rpc.blockNumber()
    case 1:
      return rpc.getBalance(address)
    case 2:
      return rpc.gasPrice()
    default:
      return rpc.getTransactionCount(address)
  }
}

/** Sends `rate` reads per second while the page is visible. */
const useTraffic = (rate: number, address: string): { readonly sent: number; readonly failed: number } => {
  const { network } = usePlayground()
  const sdk = useSdk({ network })
  const counts = useRef({ sent: 0, failed: 0 })
  const [shown, setShown] = useState({ sent: 0, failed: 0 })
  useEffect(() => {
    if (rate === 0 || sdk === undefined) return
    let turn = 0
    const timer = setInterval(() => {
      const read = document.hidden ? undefined : makeRead(sdk, address, turn++)
      if (read === undefined) return
      counts.current.sent++
      void run(read).then(({ status }) => {
        if (status === "failed") counts.current.failed++
      })
    }, 1_000 / rate)
    const show = setInterval(() => setShown({ ...counts.current }), 500)
    return () => {
      clearInterval(timer)
      clearInterval(show)
    }
  }, [rate, sdk, address])
  return shown
}

const AMOUNT_PATTERN = /^\d+(\.\d{1,18})?$/

/** Whole coins as the quantity that nodes take. */
const toHexQuantity = (coins: string): string | undefined =>
  Option.getOrUndefined(Option.map(parse(coins, 18), (units) => `0x${units.toString(16)}`))

interface ReadsProps {
  readonly rate: Rate
  readonly traffic: ReturnType<typeof useTraffic>
  readonly onRate: (rate: Rate) => void
}

const Reads = ({ onRate, rate, traffic }: ReadsProps): ReactElement => (
  <div className="stack-2">
    <div className="spread">
      <h3>Reads per second</h3>
      <span className="hint tabular" style={{ minHeight: 20 }}>
        {traffic.sent.toLocaleString("en-US")} sent,{" "}
        <span className={traffic.failed === 0 ? "" : "pulse-bad"}>{traffic.failed} failed</span>
      </span>
    </div>
    <Segments
      label="Reads per second"
      value={rate}
      options={[
        { value: "off", title: "Off" },
        { value: "4", title: "4" },
        { value: "20", title: "20" },
        { value: "60", title: "60" }
      ]}
      onChange={onRate}
    />
  </div>
)

interface AccountSelectProps {
  readonly props: object
  readonly accounts: ReadonlyArray<{ readonly address: string }>
  readonly at: number
  readonly onAt: (at: number) => void
}

/** One of the sandbox's accounts, by its number. */
const AccountSelect = ({ accounts, at, onAt, props }: AccountSelectProps): ReactElement => (
  <select {...props} className="input" value={at} onChange={(event) => onAt(Number(event.target.value))}>
    {accounts.slice(0, 6).map(({ address }, i) => (
      <option key={address} value={i}>
        Account {i + 1} · {address.slice(0, 6)}…{address.slice(-4)}
      </option>
    ))}
  </select>
)

const SandboxOnly = (): ReactElement => (
  <Panel id="drive" title="Make something happen">
    <Empty title="Only on the sandbox">
      Blocks are mined and accounts funded on a chain that is yours. In the settings, go back to the sandbox.
    </Empty>
  </Panel>
)

/** The last action on the sandbox, which is also a line of the page's log. */
const useNotice = () => {
  const { log } = usePlayground()
  const [notice, setNotice] = useState("")
  const report = (text: string): void => {
    setNotice(text)
    log(text)
  }
  return { notice, report }
}

/** The fields of the form for coins, and its actions: to send coins between accounts, and to create coins. */
const useCoins = ({ act }: Pick<ReturnType<typeof useAdmin>, "act">, report: (text: string) => void) => {
  const { network, sandbox } = usePlayground()
  const sdk = useSdk({ network })
  const accounts = sandbox?.accounts ?? []
  const isEvmChain = isEvm(network)
  const [from, setFrom] = useState(0)
  const [to, setTo] = useState(1)
  const [other, setOther] = useState("")
  const [amount, setAmount] = useState("1.5")
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const { symbol } = info(network)
  const isValid = AMOUNT_PATTERN.test(amount)

  const fund = async (): Promise<void> => {
    const address = isEvmChain ? accounts[to]?.address : other
    if (address === undefined || address === "" || !isValid) return
    const outcome = await act((admin) => admin.fund({ path: { network }, payload: { address, amount } }))
    if (outcome?.status === "done")
      report(`Gave ${amount} ${symbol} to ${isEvmChain ? `account ${to + 1}` : address}`)
  }
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const sender = accounts[from]?.address
    const receiver = accounts[to]?.address
    const value = toHexQuantity(amount)
    if (sdk === undefined || !("rawRpcCall" in sdk.rpc) || !isValid || value === undefined) return
    setSending(true)
    setError(undefined)
    // the sandbox's nodes keep these accounts unlocked
    const params = [{ from: sender, to: receiver, value }]
    const outcome = await run(sdk.rpc.rawRpcCall({ jsonrpc: "2.0", method: "eth_sendTransaction", params }))
    setSending(false)
    if (outcome.status === "failed") setError(outcome.error)
    else report(`Sent ${amount} ${symbol} from account ${from + 1} to account ${to + 1}`)
  }
  return {
    accounts,
    symbol,
    from,
    setFrom,
    to,
    setTo,
    other,
    setOther,
    amount,
    setAmount,
    isValid,
    isSending,
    canSend: isValid && sdk !== undefined,
    canFund: isValid && (isEvmChain || other !== ""),
    error,
    fund,
    send
  }
}

interface CoinsFormProps {
  readonly coins: ReturnType<typeof useCoins>
  readonly isBusy: boolean
}

/** Sends coins from one account to another, or gives an account coins. */
const CoinsForm = ({ coins, isBusy }: CoinsFormProps): ReactElement => {
  const { network } = usePlayground()
  const isEvmChain = isEvm(network)
  const { accounts, amount, canFund, canSend, from, fund, isSending, isValid, other } = coins
  const { send, setAmount, setFrom, setOther, setTo, symbol, to } = coins
  return (
    <form className="stack-2" onSubmit={(event) => void send(event)}>
      <h3>Coins</h3>
      {isEvmChain ? (
        <Field label="From">
          {(props) => <AccountSelect props={props} accounts={accounts} at={from} onAt={setFrom} />}
        </Field>
      ) : null}
      <Field label="To">
        {(props) =>
          isEvmChain ? (
            <AccountSelect props={props} accounts={accounts} at={to} onAt={setTo} />
          ) : (
            <TextInput
              {...props}
              placeholder={`An address of ${network}`}
              value={other}
              onText={(text) => setOther(text.trim())}
            />
          )
        }
      </Field>
      <Field
        label={`Amount in ${symbol}`}
        error={isValid ? undefined : "An amount in whole coins, such as 1.5"}
      >
        {(props) => (
          <input
            {...props}
            className="input tabular"
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            onChange={(event) => setAmount(event.target.value.trim())}
          />
        )}
      </Field>
      <div className="row">
        {isEvmChain ? (
          <Button type="submit" kind="primary" busy={isSending} disabled={!canSend}>
            Send
          </Button>
        ) : null}
        <Button busy={isBusy} disabled={!canFund} onClick={() => void fund()}>
          <Icon name="coins" />
          Fund “To”
        </Button>
      </div>
    </form>
  )
}

interface BlocksProps {
  readonly admin: ReturnType<typeof useAdmin>
  readonly onMined: (text: string) => void
}

const Blocks = ({ admin: { act, busy }, onMined }: BlocksProps): ReactElement => {
  const { network } = usePlayground()
  const mine = async (blocks: number): Promise<void> => {
    const outcome = await act((admin) => admin.mine({ path: { network }, payload: { blocks } }))
    if (outcome?.status === "done") onMined(blocks === 1 ? "Mined a block" : `Mined ${blocks} blocks`)
  }
  return (
    <div className="stack-2">
      <h3>Blocks</h3>
      <div className="row">
        <Button busy={busy} onClick={() => void mine(1)}>
          <Icon name="blocks" />
          Mine a block
        </Button>
        <Button busy={busy} onClick={() => void mine(10)}>
          Mine 10
        </Button>
      </div>
    </div>
  )
}

/** Makes reads, blocks and transactions on the sandbox. */
export const Drive = (): ReactElement => {
  const { network, isOnSandbox, sandbox } = usePlayground()
  const isEvmChain = isEvm(network)
  const [rate, setRate] = useState<Rate>("4")
  const traffic = useTraffic(
    isOnSandbox && isEvmChain ? readsPerSecond[rate] : 0,
    sandbox?.accounts[0]?.address ?? "0x0000000000000000000000000000000000000000"
  )
  const admin = useAdmin()
  const { notice, report } = useNotice()
  const coins = useCoins(admin, report)
  const error = admin.error ?? coins.error
  if (!isOnSandbox) return <SandboxOnly />

  return (
    <Panel
      id="drive"
      title="Make something happen"
      hint="The chain is yours: what you do here is real on its nodes."
    >
      <div className="stack">
        {isEvmChain ? <Reads rate={rate} traffic={traffic} onRate={setRate} /> : null}
        <Blocks admin={admin} onMined={report} />
        <CoinsForm coins={coins} isBusy={admin.busy} />
        <p className="notice" aria-live="polite">
          {notice}
        </p>
        {error === undefined ? null : <ErrorBox error={error} />}
      </div>
    </Panel>
  )
}
