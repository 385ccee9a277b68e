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
      {question._tag === "connect" ? (
        <>
          <p>{question.origin} wants to see an account of yours.</p>
          <Field label="Account">
            {(field) => (
              <select
                {...field}
                className="input mono"
                value={account}
                onChange={(event) => setAccount(event.target.value)}
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
      ) : question._tag === "send" ? (
        <Rows
          rows={[
            ["Network", question.chain.name],
            ["From", question.from],
            ["To", question.to ?? "a new contract"],
            ["Amount", `${format(question.value, 18)} ${question.chain.symbol}`],
            ...(question.data === undefined
              ? []
              : [
                  ["Data", `${(question.data.length - 2) / 2} bytes, ${question.data.slice(0, 10)}…`] as const
                ])
          ]}
        />
      ) : (
        <Rows
          rows={[
            ["From", question.from?.name ?? "another network"],
            ["To", question.to.name]
          ]}
        />
      )}
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
