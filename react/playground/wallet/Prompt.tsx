import { type ReactElement, useState } from "react"
import { createRoot } from "react-dom/client"
import { format } from "../../../src/data/Units.js"
import { Modal } from "../console/Modal.js"
import { Button, Field } from "../ui/index.js"
import type { Question, Reply } from "./SandboxWallet.js"

const titles: Readonly<Record<Question["_tag"], string>> = {
  connect: "Connect with this page?",
  send: "Send this transaction?",
  switch: "Go to another network?"
}

const confirmLabels: Readonly<Record<Question["_tag"], string>> = {
  connect: "Connect",
  send: "Approve",
  switch: "Switch"
}

const Rows = ({ rows }: { readonly rows: ReadonlyArray<readonly [string, string]> }): ReactElement => (
  <dl className="modal-rows">
    {rows.map(([name, value]) => (
      <div key={name} style={{ display: "contents" }}>
        <dt>{name}</dt>
        <dd className="mono">{value}</dd>
      </div>
    ))}
  </dl>
)

interface DetailsProps {
  readonly question: Question
  readonly account: string
  readonly onAccount: (account: string) => void
}

/** What the user is asked about. Of a connection the user chooses the account. */
const Details = ({ account, onAccount, question }: DetailsProps): ReactElement => {
  switch (question._tag) {
    case "connect":
      return (
        <>
          <p>{question.origin} wants to see an account of yours.</p>
          <Field label="Account">
            {(field) => (
              <select
                {...field}
                className="input mono"
                value={account}
                onChange={(event) => onAccount(event.target.value)}
              >
                {question.accounts.map((address) => (
                  <option key={address} value={address}>
                    {address}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )
    case "send": {
      const { chain, data, from, to, value } = question
      return (
        <Rows
          rows={[
            ["Network", chain.name],
            ["From", from],
            ["To", to ?? "a new contract"],
            ["Amount", `${format(value, 18)} ${chain.symbol}`],
            ...(data === undefined
              ? []
              : [["Data", `${(data.length - 2) / 2} bytes, ${data.slice(0, 10)}…`] as const])
          ]}
        />
      )
    }
    case "switch":
      return (
        <Rows
          rows={[
            ["From", question.from?.name ?? "another network"],
            ["To", question.to.name]
          ]}
        />
      )
  }
}

/** A question of the wallet to its user, in the form of a wallet's own window. */
const Prompt = (props: {
  readonly question: Question
  readonly onReply: (reply: Reply) => void
}): ReactElement => {
  const { onReply, question } = props
  const [account, setAccount] = useState(question._tag === "connect" ? (question.accounts[0] ?? "") : "")
  const refuse = (): void => onReply({ agreed: false })
  return (
    <Modal
      title={titles[question._tag]}
      onClose={refuse}
      actions={
        <>
          <Button onClick={refuse}>Reject</Button>
          <Button
            kind="primary"
            onClick={() => onReply({ agreed: true, ...(account === "" ? {} : { account }) })}
          >
            {confirmLabels[question._tag]}
          </Button>
        </>
      }
    >
      <p className="hint">Sandbox wallet</p>
      <Details question={question} account={account} onAccount={setAccount} />
    </Modal>
  )
}

/**
 * Asks the user, in a window that belongs to no view of the page: a wallet asks on every view.
 *
 * @since 0.1.0
 * @category components
 */
export const askUser = (question: Question): Promise<Reply> =>
  new Promise((resolve) => {
    const box = document.createElement("div")
    document.body.append(box)
    const root = createRoot(box)
    const done = (reply: Reply): void => {
      root.unmount()
      box.remove()
      resolve(reply)
    }
    root.render(<Prompt question={question} onReply={done} />)
  })
