/** What is wrong with an answer, by the chains' own descriptions. */
import type { Family } from "../../src/data/Network.js"
import { isJson, describe as open } from "./descriptions.js"
import { type Described, rest, rpc, unexplained } from "./families.js"
import { strangers } from "./requests.js"
import type { Told } from "./told.js"

/** A request as it has come, and the text of the answer. */
export interface Answered {
  readonly verb: string
  /** With its query. */
  readonly path: string
  readonly body: string
  readonly text: string
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isOf = (template: string, path: string): boolean => {
  const segments = template.split("/")
  const given = path.split("/")
  return (
    segments.length === given.length &&
    segments.every((segment, i) => /^\{.*\}$/.test(segment) || segment === given[i])
  )
}

/** What is told of an answer, and the answer; nothing where no description has the request. */
const toldOf = (
  { answer = (_, kind) => kind, files, place = "", written = (path) => path }: Described,
  { body, path, text, verb }: Answered
): readonly [name: string, told: ReadonlyArray<Told>, value: unknown] | undefined => {
  const call = parsed(body)
  const method = isJson(call) && typeof call.method === "string" ? call.method : undefined
  const own = written(path.split("?")[0] ?? "")
  const found = files.flatMap((file): ReadonlyArray<readonly [name: string, told: Told]> => {
    const description = open(file)
    const [operation] = description.operations
      .filter((each) =>
        method === undefined ? each.verb === verb && isOf(each.path, own) : each.path === `/${method}`
      )
      .sort((one, other) => Number(other.path === own) - Number(one.path === own))
    const result = (description.methods.find(({ name }) => name === method) ?? operation)?.result
    const name = method ?? `${verb} ${operation?.path}`
    const kind = result === undefined ? undefined : answer(description, result, name)
    return kind === undefined ? [] : [[name, [description, kind]]]
  })
  const [first] = found
  const whole = parsed(text)
  const value = method !== undefined && isJson(whole) ? whole.result : whole
  if (first === undefined || value === undefined || place !== "") return undefined
  return [first[0], found.map(([, told]) => told), value]
}

/** How many methods' answers a description tells of, and what is wrong with them: `method: what`. */
export const answerProblems = (
  family: Family,
  answered: ReadonlyArray<Answered>
): { readonly checked: number; readonly unexplained: ReadonlyArray<string> } => {
  const described = [...rest, ...rpc].filter(({ ids }) => ids.includes(family))
  const problems = new Set<string>()
  const checked = new Set<string>()
  for (const each of described) {
    for (const one of answered) {
      const found = toldOf(each, one)
      if (found === undefined) continue
      const [name, told, value] = found
      checked.add(name)
      const wrong = told.map(([description, kind]) => {
        const problem = description.problem(kind, value)
        return [
          ...(problem === undefined ? [] : [problem]),
          ...strangers(kind, value, description.follow).map((field) => `${field} is not described`)
        ]
      })
      // of several descriptions, each may be right
      if (wrong.some((list) => list.length === 0)) continue
      for (const problem of wrong[0] ?? []) problems.add(`${name}: ${problem}`)
    }
  }
  return {
    checked: checked.size,
    unexplained: unexplained(
      [...problems],
      described.flatMap(({ answers = [] }) => answers)
    )
  }
}
