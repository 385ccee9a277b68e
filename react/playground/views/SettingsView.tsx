import { type FormEvent, type ReactElement, useState } from "react"
import { useRate } from "../../index.js"
import { type Settings, usePlayground } from "../session.js"
import { Badge, Button, ErrorBox, Field, isOfKey, Panel, Segments, TextInput } from "../ui/index.js"

/** Whether a text is a base url for the SDK, or empty: no query, fragment or user info, since paths and keys are appended. */
const isBase = (text: string): boolean => {
  if (text === "") return true
  if (!URL.canParse(text)) return false
  const { hash, password, protocol, search, username } = new URL(text)
  return /^https?:$/.test(protocol) && hash + password + search + username === ""
}

/** A call with the key that is in use: what costs the provider least. */
const KeyTest = (): ReactElement => {
  const { network } = usePlayground()
  const { error, isRefreshing, refresh, status } = useRate(
    { currency: "BTC", basePair: "EUR" },
    { network, staleTime: 0 }
  )
  return (
    <div className="stack-2" aria-live="polite">
      {status === "error" ? (
        <ErrorBox
          title={isOfKey(error) ? "The provider refuses the key" : "The provider does not answer"}
          error={error}
          onRetry={() => void refresh()}
        />
      ) : status === "success" && !isRefreshing ? (
        <p className="hint">
          <Badge tone="ok" dot>
            Tested
          </Badge>{" "}
          The provider has answered a call with these settings.
        </p>
      ) : (
        <p className="hint">Testing these settings with a call…</p>
      )}
    </div>
  )
}

/** The provider that the page talks to: the sandbox on this machine, or the real one with a key. */
export const SettingsView = (): ReactElement => {
  const { network, sandbox, setSettings, settings } = usePlayground()
  const [draft, setDraft] = useState<Settings>(settings)
  const [saved, setSaved] = useState(false)
  const change = (part: Partial<Settings>) => {
    setDraft({ ...draft, ...part })
    setSaved(false)
  }
  const keyError = /^[\x21-\x7e]*$/.test(draft.apiKey)
    ? undefined
    : "Visible ASCII characters without spaces are expected"
  const expected = "An address such as https://api.example is expected"
  const baseError = isBase(draft.baseUrl) ? undefined : expected
  const listError = isBase(draft.nodeListUrl) ? undefined : expected
  const save = (event: FormEvent) => {
    event.preventDefault()
    if ((keyError ?? baseError ?? listError) !== undefined) return
    setSettings(draft)
    setSaved(true)
  }
  const real = draft.source === "provider"
  return (
    <>
      <Panel
        id="connection"
        span="half"
        title="Connection"
        hint={`The network, ${network}, is chosen at the top of the page.`}
      >
        <form className="stack" onSubmit={save} autoComplete="off">
          <Segments
            label="Whom this page talks to"
            value={draft.source}
            options={[
              ...(sandbox === undefined ? [] : [{ value: "sandbox" as const, title: "Sandbox" }]),
              { value: "provider" as const, title: "Real provider" }
            ]}
            onChange={(source) => change({ source })}
          />
          <p className="hint">
            {real
              ? "Calls leave this machine: to the provider's nodes and to its API."
              : "Everything stays on this machine: real nodes, an embedded provider, no key."}
          </p>
          <Field
            label="API key"
            error={keyError}
            hint="Kept in the memory of this page alone: not in storage, not in the address. Without one, only a part works."
          >
            {(props) => (
              <TextInput
                {...props}
                type="password"
                disabled={!real}
                value={draft.apiKey}
                onText={(text) => change({ apiKey: text })}
              />
            )}
          </Field>
          <Field
            label="Base url"
            error={baseError}
            hint="Of a gateway of your own. Empty for the provider's own address."
          >
            {(props) => (
              <TextInput
                {...props}
                type="url"
                disabled={!real}
                value={draft.baseUrl}
                onText={(text) => change({ baseUrl: text.trim() })}
              />
            )}
          </Field>
          <Field
            label="Node list url"
            error={listError}
            hint="Where the lists of nodes come from. Empty for the provider's own."
          >
            {(props) => (
              <TextInput
                {...props}
                type="url"
                disabled={!real}
                value={draft.nodeListUrl}
                onText={(text) => change({ nodeListUrl: text.trim() })}
              />
            )}
          </Field>
          <div className="row">
            <Button type="submit" kind="primary">
              Use these settings
            </Button>
            <span className="notice" aria-live="polite">
              {saved ? "In use from now on." : ""}
            </span>
          </div>
          {settings.source === "provider" ? <KeyTest /> : null}
        </form>
      </Panel>
      <Panel
        id="sandbox"
        span="half"
        title="Sandbox"
        hint="The embedded provider that this page's server has started."
      >
        {sandbox === undefined ? (
          <p className="hint">
            This page was served without one. <code className="code">npm start -- --playground</code> serves
            it with one.
          </p>
        ) : (
          <dl className="settings-list">
            <dt>Provider</dt>
            <dd>
              <a className="link mono" href={`${sandbox.baseUrl}/docs`} target="_blank" rel="noreferrer">
                {sandbox.baseUrl}
              </a>
            </dd>
            <dt>Network</dt>
            <dd className="mono">{sandbox.network}</dd>
            <dt>Block time</dt>
            <dd>{sandbox.blockTime} s</dd>
            <dt>Accounts</dt>
            <dd>{sandbox.accounts.length}, with keys that everybody knows</dd>
            <dt>Now</dt>
            <dd>
              <Badge tone={settings.source === "sandbox" ? "ok" : "muted"} dot>
                {settings.source === "sandbox" ? "In use" : "Not in use"}
              </Badge>
            </dd>
          </dl>
        )}
      </Panel>
    </>
  )
}
