import { type FormEvent, type ReactElement, useState } from "react"
import { useRate } from "../../index.js"
import { type Settings, usePlayground } from "../session.js"
import { Badge, Button, ErrorBox, Field, isApiKeyError, Panel, Segments, TextInput } from "../ui/index.js"

/** Whether a text is a base url for the SDK, or empty: no query, fragment or user info, since paths and keys are appended. */
const isBase = (text: string): boolean => {
  if (text === "") return true
  if (!URL.canParse(text)) return false
  const { hash, password, protocol, search, username } = new URL(text)
  return /^https?:$/.test(protocol) && hash + password + search + username === ""
}

/** Tests the key in use with a call that costs the provider little. */
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
          title={isApiKeyError(error) ? "The provider refuses the key" : "The provider does not answer"}
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

/** What the page's server has started. */
const SandboxPanel = (): ReactElement => {
  const { sandbox, settings } = usePlayground()
  return (
    <Panel
      id="sandbox"
      span="half"
      title="Sandbox"
      hint="The embedded provider that this page's server has started."
    >
      {sandbox === undefined ? (
        <p className="hint">
          This page was served without one. <code className="code">npm start -- --playground</code> serves it
          with one.
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
  )
}

/** The draft of the settings. They are in use once they are saved without a problem. */
const useSettingsForm = () => {
  const { setSettings, settings } = usePlayground()
  const [draft, setDraft] = useState<Settings>(settings)
  const [isSaved, setSaved] = useState(false)
  const expectedUrl = "An address such as https://api.example is expected"
  const problems = {
    apiKey: /^[\x21-\x7e]*$/.test(draft.apiKey)
      ? undefined
      : "Visible ASCII characters without spaces are expected",
    baseUrl: isBase(draft.baseUrl) ? undefined : expectedUrl,
    nodeListUrl: isBase(draft.nodeListUrl) ? undefined : expectedUrl
  }
  const change = (part: Partial<Settings>): void => {
    setDraft({ ...draft, ...part })
    setSaved(false)
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if ((problems.apiKey ?? problems.baseUrl ?? problems.nodeListUrl) !== undefined) return
    setSettings(draft)
    setSaved(true)
  }
  return { draft, isSaved, problems, change, save }
}

/** Chooses the provider that the page talks to: the sandbox on this machine, or the real one with a key. */
export const SettingsView = (): ReactElement => {
  const { network, sandbox, settings } = usePlayground()
  const { change, draft, isSaved, problems, save } = useSettingsForm()
  const isReal = draft.source === "provider"
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
            {isReal
              ? "Calls leave this machine: to the provider's nodes and to its API."
              : "Everything stays on this machine: real nodes, an embedded provider, no key."}
          </p>
          <Field
            label="API key"
            error={problems.apiKey}
            hint="Kept in the memory of this page alone: not in storage, not in the address. Without one, only a part works."
          >
            {(props) => (
              <TextInput
                {...props}
                type="password"
                disabled={!isReal}
                value={draft.apiKey}
                onText={(text) => change({ apiKey: text })}
              />
            )}
          </Field>
          <Field
            label="Base url"
            error={problems.baseUrl}
            hint="Of a gateway of your own. Empty for the provider's own address."
          >
            {(props) => (
              <TextInput
                {...props}
                type="url"
                disabled={!isReal}
                value={draft.baseUrl}
                onText={(text) => change({ baseUrl: text.trim() })}
              />
            )}
          </Field>
          <Field
            label="Node list url"
            error={problems.nodeListUrl}
            hint="Where the lists of nodes come from. Empty for the provider's own."
          >
            {(props) => (
              <TextInput
                {...props}
                type="url"
                disabled={!isReal}
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
              {isSaved ? "In use from now on." : ""}
            </span>
          </div>
          {settings.source === "provider" ? <KeyTest /> : null}
        </form>
      </Panel>
      <SandboxPanel />
    </>
  )
}
