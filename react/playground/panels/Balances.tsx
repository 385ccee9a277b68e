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

/** Balances that follow the chain block by block: the sandbox's accounts, and every address that is added. */
export const Balances = (): ReactElement => {
  const { network, isOnSandbox, sandbox } = usePlayground()
  const [added, setAdded] = useState<ReadonlyArray<string>>([])
  const [text, setText] = useState("")
  const known = isOnSandbox && isEvm(network) ? (sandbox?.accounts ?? []).slice(0, 5) : []
  const rows = [
    ...known.map(({ address }, i) => ({ address, title: `Account ${i + 1}`, own: false })),
    ...added.map((address) => ({ address, title: "Watched", own: true }))
  ]
  const add = (event: FormEvent) => {
    event.preventDefault()
    const address = text.trim()
    if (address === "" || rows.some((row) => row.address.toLowerCase() === address.toLowerCase())) return
    setAdded([...added, address])
    setText("")
  }
  const isOwn = findEvmDefinition(network) !== undefined
  const sample = rows[0]?.address ?? "…"
  return (
    <Panel
      id="balances"
      title="Balances"
      hint="Asked again with every block; one request per address, however many look at it."
      code={
        isOwn ? (
          <ShowCode
            title="Balances"
            network={network}
            path="rpc.getBalance"
            args={[sample]}
            options={{ refresh: "blocks" }}
          />
        ) : (
          <ShowCode
            title="Balances"
            network={network}
            path="address.getBalance"
            args={[{ address: sample, tokenTypes: ["native"] }]}
            hook="useBalance"
            options={{ refresh: "blocks" }}
          />
        )
      }
    >
      {isOwn || supports(network, "address") ? (
        <div className="stack">
          {rows.length === 0 ? (
            <Empty title="No address yet">
              Add one of {network} below, and its balance follows the chain.
            </Empty>
          ) : (
            <ul className="list-plain divide">
              {rows.map(({ address, own, title }) => (
                <Balance
                  key={address}
                  address={address}
                  title={title}
                  onRemove={own ? () => setAdded(added.filter((each) => each !== address)) : undefined}
                />
              ))}
            </ul>
          )}
          <form className="field-row" onSubmit={add}>
            <div className="grow">
              <Field label="Another address">
                {(props) => <TextInput {...props} value={text} onText={setText} />}
              </Field>
            </div>
            <Button type="submit">Watch</Button>
          </form>
        </div>
      ) : (
        <Empty title="Balances are not to be had here">
          For {network}, the provider's API has no balances. Its nodes have: see the RPC console.
        </Empty>
      )}
    </Panel>
  )
}
