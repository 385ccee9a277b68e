/** Marker secrets: every form in which they may be told, and everything that prints an error. */
import { inspect } from "node:util"
import * as Cause from "effect/Cause"

/** How a proxy may write what it has got. */
export const spellingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  secret.toUpperCase(),
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64"),
  Buffer.from(secret).toString("base64url"),
  Buffer.from(`${secret}:more`).toString("base64"),
  JSON.stringify(secret)
]

/** Everything that prints an error. */
export const printErrorForms = (error: Error): ReadonlyArray<string> => [
  error.message,
  error.toString(),
  String(error.stack),
  inspect(error),
  inspect(error, { customInspect: false, depth: 20 }),
  inspect({ error }, { depth: 20 }),
  JSON.stringify(error),
  JSON.stringify({ ...error }),
  Cause.pretty(Cause.fail(error)),
  Cause.pretty(Cause.die(error))
]

/** What is looked for, by the secret: texts are many and long, and secrets are few. */
const spellings = new Map<string, ReadonlyArray<string>>()

const cachedSpellingsOf = (secret: string): ReadonlyArray<string> => {
  const known = spellings.get(secret)
  if (known !== undefined) return known
  const made = [
    ...new Set(spellingsOf(secret).map((form) => form.replace(/=+$/, "").slice(0, -1).toLowerCase()))
  ]
  spellings.set(secret, made)
  return made
}

export const revealsSecret = (printed: string, secret: string): boolean => {
  const lower = printed.toLowerCase()
  return cachedSpellingsOf(secret).some((form) => lower.includes(form))
}

/** Secrets of a client, each in another place. */
export const marks = {
  apiKey: "k3y-of-the-user",
  user: "hug0mark",
  password: "op&n s3same",
  header: "t0ken-of-mine",
  inPath: "p4thmark9Qz",
  inQuery: "q53rymark"
} as const

export const secrets: ReadonlyArray<string> = Object.values(marks)

/** The url of a node with secrets in its user info, its path and its query. */
export const markedUrl = (origin: string): string => {
  const login = `${encodeURIComponent(marks.user)}:${encodeURIComponent(marks.password)}`
  return `${origin.replace("://", `://${login}@`)}/v3/${marks.inPath}?pin=${marks.inQuery}`
}

/** What a host says that repeats whatever it was sent, with an answer of each kind in turn. */
export const mirrored = (
  heard: ReadonlyArray<string>,
  id: unknown,
  turn: number
): readonly [number, string] => {
  const said = [...heard, ...secrets.flatMap(spellingsOf)].join(" ")
  const data = Object.fromEntries(heard.map((each) => [each, [each, { [each]: each }]]))
  const answers: ReadonlyArray<readonly [number, unknown]> = [
    [200, { jsonrpc: "2.0", id, error: { code: -32000, message: said, data } }],
    [200, { jsonrpc: "2.0", id, error: { code: 3, message: `execution reverted ${said}`, data: said } }],
    [503, said],
    [429, { error: said }],
    [404, `<html><title>${heard.join(" ")}</title>`],
    [200, said],
    [200, { jsonrpc: "2.0", id, result: heard }],
    [400, { statusCode: 400, errorCode: said, message: [said], data: [said], dashboardLog: said }]
  ]
  const [status, answer] = answers[turn % answers.length] ?? [500, said]
  return [status, typeof answer === "string" ? answer : JSON.stringify(answer)]
}
