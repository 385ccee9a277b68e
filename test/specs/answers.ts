/** What is wrong with an answer, by the chains' own descriptions. */
import type { FamilyId } from "../../src/data/Network.js"
import { describedKind } from "./describedKind.js"
import { isJson } from "./descriptions.js"
import { clients, type Described, rest, rpc, unexplained } from "./families.js"
import { strangers } from "./requests.js"
import { pathOf, walk } from "./tables.js"

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

/** A call of the table that a request is, by its name, and how the descriptions name it. */
const callOf = (
  { endpoints, written = (path) => path }: Pick<Described, "endpoints" | "written">,
  { body, path, verb }: Answered
): readonly [call: string, name: string] | undefined => {
  const { methods, routes } = walk(endpoints)
  const sent = parsed(body)
  const own = path.split("?")[0] ?? ""
  const [route] = routes
    .filter((each) => each.spec.verb === verb && isOf(pathOf(each), own))
    // a word in a path is before a name, which stands for any word
    .sort((one, other) => pathOf(one).split("{").length - pathOf(other).split("{").length)
  if (route !== undefined) return [route.name, `${verb} ${written(pathOf(route))}`]
  const method = methods.find(({ spec }) => isJson(sent) && spec.method === sent.method)
  return method && [method.name, method.spec.method]
}

type DescribedAnswers = Pick<Described, "answer" | "answers" | "endpoints" | "files" | "written">

/** What tells of a family's answers: the chain's own description or, where it has none, its client. */
const listDescriptions = (family: FamilyId): ReadonlyArray<DescribedAnswers> =>
  [...rest, ...rpc, ...clients].filter(({ ids }) => ids.some((id) => id === family))

export const isDescribed = (family: FamilyId): boolean => listDescriptions(family).length > 0

/** How many methods' answers a description tells of, and what is wrong with them: `method: what`. */
export const answerProblems = (
  family: FamilyId,
  answered: ReadonlyArray<Answered>
): { readonly checked: number; readonly unexplained: ReadonlyArray<string> } => {
  const described = listDescriptions(family)
  const problems = new Set<string>()
  const checked = new Set<string>()
  for (const each of described) {
    const kinds = describedKind(each)
    for (const one of answered) {
      const [call = "", name = ""] = callOf(each, one) ?? []
      const known = kinds.get(call)
      const whole = parsed(one.text)
      const value = name.includes("/") || !isJson(whole) ? whole : whole.result
      if (known === undefined || value === undefined) continue
      checked.add(name)
      const wrong = known.map(([description, kind]) => {
        const problem = description.problem(kind, value)
        return [
          ...(problem === undefined ? [] : [problem]),
          ...strangers(kind, value, description.follow).map((field) => `${field} is not described`)
        ]
      })
      // of several descriptions, each may be right: the nearest one tells
      const [nearest = []] = wrong.toSorted((one, other) => one.join().length - other.join().length)
      for (const problem of nearest) problems.add(`${name}: ${problem}`)
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
