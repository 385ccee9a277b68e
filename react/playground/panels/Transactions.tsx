import { type FormEvent, type ReactElement, useState } from "react"
import type { AddressTransaction } from "../../../src/services/Address.js"
import { useTransactions } from "../../index.js"
import { info, isEvm, supports } from "../networks.js"
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
  LinkedHash,
  Panel,
  Skeleton,
  Table,
  TextInput,
  Time
} from "../ui/index.js"
import { TokenAmount } from "../ui/TokenAmount.js"

const PAGE_SIZE = 10

/** Converts a timestamp to milliseconds: networks like Bitcoin report seconds, the others milliseconds. */
const toMillis = (timestamp: number): number => (timestamp < 100_000_000_000 ? timestamp * 1_000 : timestamp)

const isIncoming = ({ amount, transactionSubtype, transactionType }: AddressTransaction): boolean =>
  transactionSubtype === "incoming" ||
  transactionType === "incoming" ||
  (transactionSubtype === undefined && transactionType !== "outgoing" && !amount.startsWith("-"))

const columns = [
  { key: "what", title: "What" },
  { key: "hash", title: "Transaction" },
  { key: "other", title: "With" },
  { key: "block", title: "Block", align: "end" },
  { key: "amount", title: "Amount", align: "end" },
  { key: "when", title: "When", align: "end", width: "96px" }
] as const

/** The row of a transaction in the table. `symbol` is that of the network's coin. */
const toRow = (transaction: AddressTransaction, index: number, symbol: string) => {
  const { amount, blockNumber, counterAddress, hash, timestamp, tokenAddress, tokenId, transactionType } =
    transaction
  const isIn = isIncoming(transaction)
  return {
    key: `${hash} ${transactionType} ${tokenAddress ?? ""} ${tokenId ?? ""} ${index}`,
    cells: [
      <span key="what" className="row" style={{ flexWrap: "nowrap" }}>
        <Badge tone={isIn ? "ok" : "muted"}>{isIn ? "In" : "Out"}</Badge>
        <span className="muted">{transactionType}</span>
      </span>,
      <LinkedHash key="hash" value={hash} />,
      counterAddress === undefined ? "–" : <LinkedAddress key="other" value={counterAddress} />,
      <span key="block" className="tabular">
        {blockNumber?.toLocaleString("en-US") ?? "waiting"}
      </span>,
      transactionType === "native" || tokenAddress === undefined ? (
        <Amount key="amount" value={amount} symbol={symbol} />
      ) : (
        <TokenAmount
          key="amount"
          value={amount}
          token={tokenAddress}
          tokenId={transactionType === "fungible" ? undefined : tokenId}
        />
      ),
      <Time key="when" at={toMillis(timestamp)} />
    ]
  }
}

const TransactionList = ({ address }: { readonly address: string }): ReactElement => {
  const { network } = usePlayground()
  const reading = useTransactions({ address, pageSize: PAGE_SIZE }, { network })
  const { symbol } = info(network)
  const { data } = reading
  if (data === undefined)
    return reading.status === "error" ? (
      <ErrorBox error={reading.error} onRetry={reading.refresh} />
    ) : (
      <Skeleton lines={8} height={24} />
    )
  if (data.length === 0)
    return (
      <Empty title="No transactions yet">
        Send something to this address on the overview, and read it here a moment later.
      </Empty>
    )
  return (
    <div className="stack">
      {reading.status === "error" ? <ErrorBox error={reading.error} onRetry={reading.refresh} /> : null}
      <Table
        caption={`Transactions of ${address}`}
        columns={columns}
        minRows={5}
        rows={data.map((each, i) => toRow(each, i, symbol))}
      />
      <div className="row" style={{ justifyContent: "center" }}>
        {reading.hasMore ? (
          <Button busy={reading.isLoadingMore} onClick={reading.loadMore}>
            Load more
          </Button>
        ) : (
          <p className="hint">That is all of them: {data.length}.</p>
        )}
        <Button kind="plain" busy={reading.isRefreshing} onClick={reading.refresh}>
          Refresh
        </Button>
      </div>
    </div>
  )
}

/** The history of an address, page by page. */
export const Transactions = (): ReactElement => {
  const { network, isOnSandbox, sandbox } = usePlayground()
  const first = isOnSandbox && isEvm(network) ? (sandbox?.accounts[0]?.address ?? "") : ""
  const [text, setText] = useState<string>(first)
  const [address, setAddress] = useState<string>(first)
  const look = (event: FormEvent) => {
    event.preventDefault()
    setAddress(text.trim())
  }
  return (
    <Panel
      id="transactions"
      span="wide"
      title="Transactions"
      hint={`Page by page, ${PAGE_SIZE} at a time.`}
      code={
        <ShowCode
          title="Transactions"
          network={network}
          path="address.getTransactions"
          args={[{ address: address === "" ? "…" : address, pageSize: PAGE_SIZE }]}
          hook="useTransactions"
        />
      }
    >
      {supports(network, "address") ? (
        <div className="stack">
          <form className="field-row" onSubmit={look}>
            <div className="grow">
              <Field label={`Address on ${network}`}>
                {(props) => <TextInput {...props} value={text} onText={setText} />}
              </Field>
            </div>
            <Button type="submit" kind="primary">
              Look up
            </Button>
          </form>
          {address === "" ? (
            <Empty title="Whose transactions?">Type an address of {network} above.</Empty>
          ) : (
            <TransactionList key={address} address={address} />
          )}
        </div>
      ) : (
        <Empty title="Histories are not to be had here">
          For {network}, the provider's API has no histories of addresses.
        </Empty>
      )}
    </Panel>
  )
}
