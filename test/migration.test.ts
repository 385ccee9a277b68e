import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cachedMethods } from "../scripts/methods.js"
import { exported, findEquivalent, findMoved, makePage } from "../scripts/migration.js"
import tatum from "../src/cli/migrate/tatum.json" with { type: "json" }
import { info, isNetwork } from "../src/data/Network.js"

const root = join(import.meta.dirname, "..")
const methods = cachedMethods(root)
const moved = findMoved(methods)
const names = exported.flatMap(([, each]) => each)

describe("the table of @tatumio/tatum", () => {
  it("is what the vectors, the exceptions and the sources say", () => {
    expect(readFileSync(join(root, "docs/migration/tatum.md"), "utf8")).toBe(makePage(methods))
  })

  it("has every method that the vectors call, and each of them is in the tables of endpoints", () => {
    const vectors = ["rpc", "services", "wallet"].flatMap((name) =>
      JSON.parse(readFileSync(join(root, `test/conformance/vectors/${name}.json`), "utf8"))
    )
    const called = new Set(
      vectors
        .filter(({ network }) => isNetwork(network))
        .map(({ network, target }) =>
          target.startsWith("rpc.") ? `${info(network).family} ${target}` : `services ${target}`
        )
    )
    const told = [...moved].flatMap(([group, each]) => [...each.keys()].map((target) => `${group} ${target}`))
    expect(told.length).toBeGreaterThan(1_200)
    expect([...called].filter((each) => !told.includes(each) && !each.includes("TatumSDK."))).toEqual([])
    const missing = [...moved].flatMap(([group, each]) =>
      [...each.values()].filter(({ here }) => here === undefined).map(({ target }) => `${group} ${target}`)
    )
    expect(missing).toEqual([])
  })

  it("has every method that the declarations of its clients have", () => {
    const suites: Readonly<Record<string, Readonly<Record<string, string>>>> = tatum.suites
    // `FullSdk` is the class of networks that have none, with members that these lack
    const declared = Object.entries(tatum.clients)
      .filter(([name]) => name !== "FullSdk")
      .flatMap(([, { members, networks }]) =>
        networks
          .split(" ")
          .filter(isNetwork)
          // it gives Avalanche's P- and X-Chain the class of the C-Chain, whose calls they do not have
          .filter((network) => !/^avax-[px]-/.test(network))
          .flatMap((network) => {
            const { family } = info(network)
            return Object.entries(members).flatMap(([member, suite]) =>
              Object.values(suites[suite] ?? {})
                .flatMap((paths) => paths.split(" "))
                .map((path) =>
                  member === "rpc" ? [family, `rpc.${path}`] : ["services", `${member}.${path}`]
                )
            )
          })
      )
    expect(declared.length).toBeGreaterThan(3_000)
    const untold = new Set(
      declared
        .filter(([group = "", target = ""]) => moved.get(group)?.has(target) !== true)
        .map((each) => each.join(" "))
    )
    // ends of clients are in the guide
    expect(
      [...untold].filter((each) => !/ rpc\.(destroy|getRpcNodeUrl|init|genericRpc\..*)$/.test(each))
    ).toEqual([])
  })

  it("has an equivalent of every export", () => {
    expect(names).toHaveLength(414)
    expect(new Set(names).size).toBe(414)
    expect(names.filter((name) => findEquivalent(name) === undefined)).toEqual([])
  })
})
