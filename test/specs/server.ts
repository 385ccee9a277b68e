/** A server on loopback that is laid out by a chain's own description: it has the described routes, and takes described requests alone. */
import { createServer, type Server } from "node:http"
import { type Description, isJson, type Operation } from "./descriptions.js"
import { requestProblems } from "./requests.js"
import { sameRoute } from "./tables.js"

interface Answer {
  readonly status: number
  readonly json: unknown
}

export interface DescribedServer {
  readonly url: string
  /** The described routes that were asked. */
  readonly asked: ReadonlySet<string>
  /** What was wrong with requests, and with answers. */
  readonly problems: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** The operation of a request: that with the very path before one with names in it. */
const operationOf = ({ operations }: Description, verb: string, path: string): Operation | undefined => {
  const all = operations.filter((each) => each.verb === verb)
  return (
    all.find((each) => each.path === path) ?? all.find((each) => sameRoute(path, each.path) !== undefined)
  )
}

const valuesOf = (template: string, path: string): ReadonlyMap<string, string> => {
  const parts = path.split("/")
  return new Map(
    template
      .split("/")
      .flatMap((segment, i) =>
        segment.startsWith("{") ? [[segment.slice(1, -1), decodeURIComponent(parts[i] ?? "")] as const] : []
      )
  )
}

/** Starts it. `answer` answers what is described; a route that is not is answered as the gateway of nodes does. */
export const start = async (
  description: Description,
  answer: (path: string, body: string | undefined) => Answer
): Promise<DescribedServer> => {
  const asked = new Set<string>()
  const problems: Array<string> = []
  const server: Server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const text = Buffer.concat(chunks).toString()
    const body = text === "" ? undefined : text
    const { method: verb = "", url = "" } = request
    const [path = "", query = ""] = url.split("?")
    const send = ({ json, status }: Answer) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json))
    }
    const operation = operationOf(description, verb, path)
    if (operation === undefined)
      return send({ status: 501, json: { code: 12, message: "Not Implemented", details: [] } })
    const route = `${verb} ${operation.path}`
    asked.add(route)
    problems.push(
      ...requestProblems(
        operation,
        { path: valuesOf(operation.path, path), query: new URLSearchParams(query), headers: {}, body },
        description
      ).map((problem) => `${route}: ${problem}`)
    )
    const said = answer(url, body)
    if (said.status === 200 && isJson(said.json) && operation.result !== undefined) {
      const problem = description.problem(operation.result, said.json)
      if (problem !== undefined) problems.push(`${route} answers: ${problem}`)
    }
    send(said)
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    problems,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  }
}
