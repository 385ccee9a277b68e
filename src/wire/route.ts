import { withoutTail } from "../data/tail.js"

/** A parsed route template such as `/v2/accounts/{address}{?exclude}`. */
export interface Route {
  readonly build: (input: Readonly<Record<string, unknown>>) => string
  readonly pathNames: ReadonlySet<string>
  readonly queryNames: ReadonlySet<string>
}

/** Encodes a value with slashes, segment by segment. No segment may lead out of the route. */
const encodeSegments = (name: string, value: unknown): string => {
  const parts = String(value).split("/")
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new Error(`${name} must not have empty segments, . or ..`)
  }
  return parts.map(encodeURIComponent).join("/")
}

/** Parses a template of RFC 6570, as far as routes need it: `{name}`, `{+name}` (keeps slashes) and `{?a,b}` (query names). */
export const parseRoute = (template: string): Route => {
  const queryNames = new Set<string>()
  const parts = template
    .replace(/\{\?([^{}]*)\}/g, (_, names: string) => {
      for (const name of names.split(",")) queryNames.add(name)
      return ""
    })
    .split(/\{([^{}]*)\}/)
  const pathNames = new Set(parts.filter((_, i) => i % 2 === 1).map((name) => name.replace(/^\+/, "")))
  return {
    pathNames,
    queryNames,
    build: (input) =>
      parts
        .map((part, i) => {
          if (i % 2 === 0) return part
          const name = part.replace(/^\+/, "")
          return name === part ? encodeURIComponent(String(input[name])) : encodeSegments(name, input[name])
        })
        .join("")
  }
}

/** The query of a url. Empty values are left out, and lists repeat their name. */
export const toQueryString = (pairs: ReadonlyArray<readonly [string, unknown]>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of pairs) {
    if (value === undefined || value === null || value === "") continue
    for (const item of Array.isArray(value) ? value : [value]) params.append(name, String(item))
  }
  const text = params.toString()
  return text === "" ? "" : `?${text}`
}

/** Appends a path to a url. The url's own query, in which some providers want their keys, stays at the end. */
export const joinUrl = (url: string, path: string): string => {
  if (path === "") return url
  const at = url.indexOf("?")
  const [base, query] = at === -1 ? [url, undefined] : [url.slice(0, at), url.slice(at + 1)]
  return query === undefined
    ? `${base}${path}`
    : `${withoutTail(base, "/")}${path}${path.includes("?") ? "&" : "?"}${query}`
}
