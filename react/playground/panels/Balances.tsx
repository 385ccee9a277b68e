import { type FormEvent, type ReactElement, useState } from "react"
import { useBalance } from "../../index.js"
import { findEvmDefinition, info, isEvm, supports } from "../networks.js"
import { usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import {
  Amount,
  Badge,
  Button,
  describeError,
  Empty,
  Field,
  Icon,
  LinkedAddress,
  OwnBalance,
  Panel,
  TextInput
} from "../ui/index.js"

interface RowProps {
  readonly address: string
  readonly title: string
  readonly onRemove: (() => void) | undefined
}

const ProviderBalance = ({ address }: { readonly address: string }): ReactElement => {
  const { network } = usePlayground()
  const reading = useBalance({ address, tokenTypes: ["native"] }, { network, refresh: "blocks" })
  const own = reading.data?.find(({ type }) => type === "native") ?? reading.data?.[0]
  return (
    <>
      {reading.status === "error" ? (
        <span title={describeError(reading.error).message}>
          <Badge tone="bad">{describeError(reading.error).tag ?? "failed"}</Badge>
        </span>
      ) : null}
      {own === undefined ? (
        <span className="muted">{reading.status === "error" ? "" : "…"}</span>
      ) : (
        <Amount value={own.balance} symbol={own.asset ?? info(network).symbol} flash />
      )}
    </>
  )
}

const Balance = ({ address, onRemove, title }: RowProps): ReactElement => {
  const { network } = usePlayground()
  const definition = findEvmDefinition(network)
  return (
    <li className="balance">
      <span className="grow">
        <span style={{ display: "block", fontWeight: 550 }}>{title}</span>
        <span className="hint">
          <LinkedAddress value={address} />
        </span>
      </span>
      <span className="row" style={{ justifyContent: "flex-end" }}>
        {definition === undefined ? (
          <ProviderBalance address={address} />
        ) : (
          <OwnBalance address={address} network={definition} />
        )}
        {onRemove === undefined ? null : (
          <button type="button" className="icon-button" aria-label={`Remove ${address}`} onClick={onRemove}>
            <Icon name="close" size={14} />
          </button>
        )}
      </span>
    </li>
  )
}

/** The sandbox's accounts, and the addresses that the user has added. */
const useWatchedAddresses = () => {
  const { network, isOnSandbox, sandbox } = usePlayground()
  const [added, setAdded] = useState<ReadonlyArray<string>>([])
  const accounts = isOnSandbox && isEvm(network) ? (sandbox?.accounts ?? []).slice(0, 5) : []
  const rows = [
    ...accounts.map(({ address }, i) => ({ address, title: `Account ${i + 1}`, isAdded: false })),
    ...added.map((address) => ({ address, title: "Watched", isAdded: true }))
  ]
  return {
    rows,
    /** Whether the address was added: it may be there, or be empty. */
    add: (address: string): boolean => {
      if (address === "" || rows.some((row) => row.address.toLowerCase() === address.toLowerCase()))
        return false
      setAdded([...added, address])
      return true
    },
    remove: (address: string) => setAdded(added.filter((each) => each !== address))
  }
}

/** The code of a balance: from the nodes of networks of the application's own, otherwise from the provider. */
const BalanceCode = ({ address }: { readonly address: string }): ReactElement => {
  const { network } = usePlayground()
  const shared = { title: "Balances", network, options: { refresh: "blocks" } } as const
  return findEvmDefinition(network) === undefined ? (
    <ShowCode
      {...shared}
      path="address.getBalance"
      args={[{ address, tokenTypes: ["native"] }]}
      hook="useBalance"
    />
  ) : (
    <ShowCode {...shared} path="rpc.getBalance" args={[address]} />
  )
}

const AddressForm = ({ onAdd }: { readonly onAdd: (address: string) => boolean }): ReactElement => {
  const [text, setText] = useState("")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (onAdd(text.trim())) setText("")
  }
  return (
    <form className="field-row" onSubmit={submit}>
      <div className="grow">
        <Field label="Another address">
          {(props) => <TextInput {...props} value={text} onText={setText} />}
        </Field>
      </div>
      <Button type="submit">Watch</Button>
    </form>
  )
}

/** Balances that are refetched with every block: those of the sandbox's accounts, and of every address that is added. */
export const Balances = (): ReactElement => {
  const { network } = usePlayground()
  const { add, remove, rows } = useWatchedAddresses()
  const hasBalances = findEvmDefinition(network) !== undefined || supports(network, "address")
  return (
    <Panel
      id="balances"
      title="Balances"
      hint="Asked again with every block; one request per address, however many look at it."
      code={<BalanceCode address={rows[0]?.address ?? "…"} />}
    >
      {hasBalances ? (
        <div className="stack">
          {rows.length === 0 ? (
            <Empty title="No address yet">
              Add one of {network} below, and its balance follows the chain.
            </Empty>
          ) : (
            <ul className="list-plain divide">
              {rows.map(({ address, isAdded, title }) => (
                <Balance
                  key={address}
                  address={address}
                  title={title}
                  onRemove={isAdded ? () => remove(address) : undefined}
                />
              ))}
            </ul>
          )}
          <AddressForm onAdd={add} />
        </div>
      ) : (
        <Empty title="Balances are not to be had here">
          For {network}, the provider's API has no balances. Its nodes have: see the RPC console.
        </Empty>
      )}
    </Panel>
  )
}
