/**
 * Subscriptions, and their calls as they arrive.
 *
 * @since 0.1.0
 */
import { type FormEvent, type ReactElement, useMemo, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import { useRead, useSubscriptions } from "../../index.js"
import { useAdmin, usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import {
  Address,
  Badge,
  Button,
  Empty,
  ErrorBox,
  Field,
  Icon,
  Panel,
  Skeleton,
  Table,
  Tabs,
  TextInput,
  Time
} from "../ui/index.js"
import { Deliveries } from "./Deliveries.js"
import { isKind, type Kind, kinds } from "./kinds.js"
import { useInbox } from "./useInbox.js"
import "./webhooks.css"
import { info, isEvm, supports } from "../networks.js"

/** The amount that triggers a webhook call, in coins. */
const TEST_AMOUNT = "0.25"

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

type Subscriptions = ReturnType<typeof useSubscriptions>

interface CreateSubscriptionProps {
  readonly network: Network
  readonly addresses: ReadonlyArray<string>
  readonly inbox: string | undefined
  readonly subscribe: Subscriptions["subscribe"]
}

/** The fields of a new subscription. Problems are shown after the first try. */
const useSubscribeForm = ({ addresses, inbox, subscribe }: CreateSubscriptionProps) => {
  const { log } = usePlayground()
  const [kind, setKind] = useState<Kind>("addressEvent")
  const [address, setAddress] = useState(addresses[1] ?? "")
  const [url, setUrl] = useState(inbox === undefined ? "" : `${inbox}/playground`)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [notice, setNotice] = useState("")
  const problems: { readonly address?: string | undefined; readonly url?: string | undefined } = {
    address: address.trim() === "" ? "Whose address?" : undefined,
    url: isWebUrl(url.trim()) ? undefined : "An http or https url, at most 500 characters"
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    setNotice("")
    if (busy || problems.address !== undefined || problems.url !== undefined) return
    setBusy(true)
    setError(undefined)
    const outcome = await subscribe[kind]({ address: address.trim(), url: url.trim() })
    setBusy(false)
    if (outcome.status === "ERROR") return setError(outcome.error.cause)
    setNotice(`Subscribed: ${outcome.data.id}`)
    setTried(false)
    log(`Subscribed to ${kind}`)
  }
  return {
    kind,
    setKind,
    address,
    setAddress,
    url,
    setUrl,
    submit,
    busy,
    error,
    notice,
    problems: tried ? problems : {}
  }
}

const CreateSubscription = (props: CreateSubscriptionProps): ReactElement => {
  const { addresses, network } = props
  const form = useSubscribeForm(props)
  const { address, busy, error, kind, notice, problems, setAddress, setKind, setUrl, submit, url } = form
  return (
    <Panel
      id="webhooks-create"
      span="third"
      title="Subscribe"
      hint="The provider calls a url when it happens."
      code={
        <ShowCode
          title="A subscription"
          network={network}
          path={`notification.subscribe.${kind}`}
          args={[{ address, url }]}
          hook="useWrite"
        />
      }
    >
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <Field label="When">
          {(field) => (
            <select
              {...field}
              className="input"
              value={kind}
              onChange={({ target }) => {
                if (isKind(target.value)) setKind(target.value)
              }}
            >
              {Object.entries(kinds).map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Address" error={problems.address}>
          {(field) => <TextInput {...field} list="webhooks-addresses" value={address} onText={setAddress} />}
        </Field>
        <datalist id="webhooks-addresses">
          {addresses.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Field label="Url to call" error={problems.url}>
          {(field) => <TextInput {...field} inputMode="url" value={url} onText={setUrl} />}
        </Field>
        <div className="row">
          <Button type="submit" kind="primary" busy={busy}>
            Subscribe
          </Button>
          <span className="hint" aria-live="polite">
            {notice}
          </span>
        </div>
        {error === undefined ? null : <ErrorBox error={error} title="Not subscribed" />}
      </form>
    </Panel>
  )
}

/** Deletes subscriptions, and funds their addresses on the sandbox. */
const useSubscriptionActions = (network: Network, reading: Subscriptions) => {
  const { act, busy, error: fundError } = useAdmin()
  const { isOnSandbox, log } = usePlayground()
  const [deleting, setDeleting] = useState<ReadonlySet<string>>(new Set())
  const [deleteError, setDeleteError] = useState<unknown>()
  const remove = async (id: string): Promise<void> => {
    setDeleting((all) => new Set([...all, id]))
    const outcome = await reading.unsubscribe(id)
    setDeleting((all) => new Set([...all].filter((each) => each !== id)))
    if (outcome.status === "ERROR") setDeleteError(outcome.error.cause)
    else log("Unsubscribed")
  }
  const fund = async (address: string): Promise<void> => {
    const outcome = await act((admin) =>
      admin.fund({ path: { network }, payload: { address, amount: TEST_AMOUNT } })
    )
    if (outcome?.status === "done") log(`Sent ${TEST_AMOUNT} ${info(network).symbol} to a subscribed address`)
  }
  return {
    isOnSandbox,
    isBusy: busy,
    fundError,
    deleteError,
    isDeleting: (id: string) => deleting.has(id),
    remove,
    fund
  }
}

interface SubscriptionTableProps {
  readonly network: Network
  readonly rows: NonNullable<Subscriptions["data"]>
  readonly actions: ReturnType<typeof useSubscriptionActions>
}

/** The subscriptions, each with buttons to fund its address and to delete it. */
const SubscriptionTable = ({ actions, network, rows }: SubscriptionTableProps): ReactElement => {
  const { fund, isBusy, isDeleting, isOnSandbox, remove } = actions
  return (
    <Table
      caption="Every subscription"
      columns={[
        { key: "type", title: "Type" },
        { key: "address", title: "Address" },
        { key: "url", title: "Url" },
        { key: "actions", title: "Actions", align: "end" }
      ]}
      rows={rows.map(({ address, contractAddress, id, network: where, type, url }) => {
        const target = address ?? contractAddress
        return {
          key: id,
          cells: [
            <Badge key="type">{type}</Badge>,
            target === undefined ? (
              <span key="address" className="muted">
                every block
              </span>
            ) : (
              <Address key="address" value={target} />
            ),
            <span key="url" className="mono truncate webhooks-url" title={url}>
              {url}
            </span>,
            <span key="actions" className="webhooks-actions">
              {isOnSandbox && address !== undefined && where === network && isEvm(network) ? (
                <Button
                  size="small"
                  busy={isBusy}
                  aria-label={`Send ${TEST_AMOUNT} ${info(network).symbol} to ${address}`}
                  onClick={() => void fund(address)}
                >
                  <Icon name="zap" size={14} /> Send
                </Button>
              ) : null}
              <button
                type="button"
                className="icon-button"
                disabled={isDeleting(id)}
                aria-label={`Delete the subscription ${type} ${target ?? ""}`}
                title="Delete"
                onClick={() => void remove(id)}
              >
                <Icon name="close" />
              </button>
            </span>
          ]
        }
      })}
    />
  )
}

const SubscriptionList = ({
  network,
  reading
}: {
  readonly network: Network
  readonly reading: Subscriptions
}): ReactElement => {
  const actions = useSubscriptionActions(network, reading)
  const { deleteError, fundError, isOnSandbox } = actions
  const rows = reading.data ?? []
  return (
    <Panel
      id="webhooks-list"
      span="wide"
      title="Subscriptions"
      hint={
        isOnSandbox
          ? `Send ${TEST_AMOUNT} ${info(network).symbol} to one of the addresses, and see what is delivered below.`
          : "Those of the API key, on all of its networks."
      }
      actions={
        <Button size="small" busy={reading.isRefreshing} onClick={reading.refresh}>
          Refresh
        </Button>
      }
      code={
        <ShowCode
          title="Subscriptions"
          network={network}
          path="notification.getAll"
          hook="useSubscriptions"
        />
      }
    >
      <div className="stack webhooks-list">
        {reading.status === "error" ? <ErrorBox error={reading.error} onRetry={reading.refresh} /> : null}
        {deleteError === undefined ? null : <ErrorBox error={deleteError} title="Not deleted" />}
        {fundError === undefined ? null : <ErrorBox error={fundError} title="Nothing was sent" />}
        {reading.status === "loading" ? (
          <Skeleton lines={4} height={24} />
        ) : rows.length === 0 ? (
          reading.status === "error" ? null : (
            <Empty title="No subscriptions">Make the first one with the form.</Empty>
          )
        ) : (
          <SubscriptionTable network={network} rows={rows} actions={actions} />
        )}
      </div>
    </Panel>
  )
}

/** The calls in the provider's list, with the outcome of each. */
const ExecutedWebhooks = ({ network }: { readonly network: Network }): ReactElement => {
  const reading = useRead<"notification.getAllExecutedWebhooks", Network>(
    "notification.getAllExecutedWebhooks",
    [{ direction: "desc", pageSize: 20 }],
    { network, refresh: "2 seconds" }
  )
  const rows = reading.data ?? []
  if (reading.status === "loading") return <Skeleton lines={5} height={24} />
  return (
    <>
      {reading.status === "error" ? <ErrorBox error={reading.error} onRetry={reading.refresh} /> : null}
      {rows.length === 0 && reading.status === "success" ? (
        <Empty title="No calls so far">
          The provider lists every call that it makes for a subscription here.
        </Empty>
      ) : (
        <Table
          caption="Calls that the provider has made"
          columns={[
            { key: "state", title: "State" },
            { key: "type", title: "Type" },
            { key: "url", title: "Url" },
            { key: "answer", title: "Answer", align: "end" },
            { key: "retries", title: "Retries", align: "end" },
            { key: "at", title: "Made", align: "end", width: "96px" }
          ]}
          rows={rows.map(({ failed, id, nextTime, response, retryCount = 0, timestamp, type, url }) => ({
            key: id,
            cells: [
              <Badge key="state" tone={failed ? "bad" : nextTime === undefined ? "ok" : "info"} dot>
                {failed ? "failed" : nextTime === undefined ? "delivered" : "waiting"}
              </Badge>,
              type,
              <span key="url" className="mono truncate webhooks-url" title={url}>
                {url}
              </span>,
              <span key="answer" className="tabular">
                {response?.code ?? (response?.networkError === true ? "no connection" : "")}
              </span>,
              <span key="retries" className="tabular">
                {retryCount}
              </span>,
              timestamp === undefined ? "" : <Time key="at" at={timestamp} />
            ]
          }))}
        />
      )}
    </>
  )
}

const Arrivals = ({
  events,
  network
}: {
  readonly events: string | undefined
  readonly network: Network
}) => {
  const { deliveries, open } = useInbox(events)
  const [tab, setTab] = useState(events === undefined ? "made" : "arrived")
  const tabs = useMemo(
    () => [
      ...(events === undefined ? [] : [{ id: "arrived", title: "Arrived here", count: deliveries.length }]),
      { id: "made", title: "Made by the provider" }
    ],
    [deliveries.length, events]
  )
  return (
    <Panel
      id="webhooks-deliveries"
      title="Deliveries"
      hint="What has been called for the subscriptions, newest first."
      actions={
        events === undefined ? undefined : (
          <Badge tone={open ? "ok" : "muted"} dot>
            {open ? "Listening" : "Not connected"}
          </Badge>
        )
      }
      code={
        <ShowCode
          title="Calls that were made"
          network={network}
          path="notification.getAllExecutedWebhooks"
          args={[{ direction: "desc", pageSize: 20 }]}
          options={{ refresh: "2 seconds" }}
        />
      }
    >
      <div className="webhooks-deliveries">
        <Tabs label="Deliveries" tabs={tabs} selected={tab} onSelect={setTab}>
          {tab === "arrived" ? (
            <Deliveries deliveries={deliveries} />
          ) : (
            <ExecutedWebhooks network={network} />
          )}
        </Tabs>
      </div>
    </Panel>
  )
}

const Webhooks = ({ network }: { readonly network: Network }): ReactElement => {
  const { isOnSandbox, sandbox } = usePlayground()
  const reading = useSubscriptions({ network })
  const own = isOnSandbox ? sandbox : undefined
  const addresses = isEvm(network) ? (own?.accounts ?? []).map(({ address }) => address) : []
  return (
    <>
      <CreateSubscription
        network={network}
        addresses={addresses}
        inbox={own?.inbox.url}
        subscribe={reading.subscribe}
      />
      <SubscriptionList network={network} reading={reading} />
      <Arrivals network={network} events={own?.inbox.events} />
    </>
  )
}

/**
 * Subscriptions of the selected network.
 *
 * @since 0.1.0
 * @category components
 */
export const WebhooksPanel = (): ReactElement => {
  const { network } = usePlayground()
  return supports(network, "notification") ? (
    <Webhooks network={network} />
  ) : (
    <Panel title="Subscriptions">
      <Empty title="No webhooks here">The provider tells nothing of what happens on {network}.</Empty>
    </Panel>
  )
}
