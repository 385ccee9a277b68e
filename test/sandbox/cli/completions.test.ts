/** Completions, by the program as it is published, and by the shells that are here. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { program, run } from "./program.js"

const folder = mkdtempSync(join(tmpdir(), "effect-chains-cli-"))
beforeAll(() => {
  const shim = join(folder, "effect-chains")
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${program.main}" "$@"\n`)
  chmodSync(shim, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

const offered = async (...words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { code, err, out } = await run(program, ["complete", ...words])
  expect({ code, err }).toEqual({ code: 0, err: "" })
  return out === "" ? [] : out.trimEnd().split("\n")
}

describe("what may come next", () => {
  it("is a command, an option of it, a network, or a method of that network", async () => {
    expect(await offered("n")).toEqual(["networks", "nodes"])
    expect(await offered("rpc", "ethereum-m")).toEqual(["ethereum-mainnet"])
    expect(await offered("rpc", "--json", "--node", "http://a", "solana-")).toEqual([
      "solana-mainnet",
      "solana-devnet"
    ])
    expect(await offered("rpc", "bitcoin-mainnet", "getBlockHa")).toEqual(["getBlockHash"])
    expect(await offered("rpc", "ethereum-mainnet", "eth_getBal")).toEqual(["eth_getBalance"])
    expect(await offered("rpc", "ethereum-mainnet", "beacon.v1.getG")).toEqual(["beacon.v1.getGenesis"])
    expect(await offered("rpc", "nowhere", "get")).toEqual([])
    expect(await offered("nodes", "--on")).toEqual(["--once"])
    expect(await offered("sandbox", "--network", "bitcoin-mainnet-")).toEqual(["bitcoin-mainnet-electrs"])
    expect(await offered("networks", "--family", "tr")).toEqual(["tron"])
    expect(await offered("rate", "BTC", "DO")).toEqual(["DOGE", "DOT"])
    expect(await offered("completions", "z")).toEqual(["zsh"])
    expect(await offered("data", "rates.getBySymbol")).toEqual([
      "rates.getBySymbol",
      "rates.getBySymbolBatch"
    ])
    expect(await offered("data", "names.resolve", "")).toEqual(["chain=", "name="])
    expect(await offered("data", "names.resolve", "name=a.eth", "")).toEqual(["chain="])
    expect(await offered("data", "names.resolve", "chain=ethereum-")).toEqual(["chain=ethereum-mainnet"])
    expect(await offered("data", "rates.getOhlcv", "interval=1")).toEqual(
      ["1m", "15m", "1h", "1d", "1w", "1M"].map((word) => `interval=${word}`)
    )
    expect(await offered("data", "nothing.atAll", "")).toEqual([])
    // a file, which the shell knows better
    expect(await offered("send", "--key-file", "")).toEqual([])
  })
})

const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0

/** What a shell does with the script, and then with these lines. */
const shell = async (name: string, lines: string): Promise<string> => {
  const { out: script } = await run(program, ["completions", name])
  const { stderr, stdout } = spawnSync(name, ["-c", `${script}\n${lines}`], {
    encoding: "utf8",
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder }
  })
  expect(stderr).toBe("")
  return stdout.trim()
}

for (const name of ["bash", "zsh", "fish"])
  if (!has(name)) console.log(`left out: completions in ${name} (it is not here)`)

describe("the scripts", () => {
  it.runIf(has("bash"))("complete in bash", async () => {
    const complete = (words: ReadonlyArray<string>) =>
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _effect_chains; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(await shell("bash", complete(["effect-chains", "rpc", "ripple-t"]))).toBe("ripple-testnet")
    const methods = await shell("bash", complete(["effect-chains", "rpc", "bitcoin-mainnet", "getBlock"]))
    expect(methods.split("\n")).toContain("getBlockHash")
    const all = await shell("bash", complete(["effect-chains", "rpc", "bitcoin-mainnet", ""]))
    expect(all.split("\n").length).toBeGreaterThan(50)
    // its words end at equals signs
    const resolve = ["effect-chains", "data", "names.resolve"]
    expect(await shell("bash", complete([...resolve, "cha"]))).toBe("chain=")
    expect(await shell("bash", complete([...resolve, "chain", "="]))).toContain("base-mainnet\n")
    expect(await shell("bash", complete([...resolve, "chain", "=", "base-"]))).toBe("base-mainnet")
  })

  it.runIf(has("fish"))("complete in fish", async () => {
    expect(await shell("fish", "complete --do-complete 'effect-chains rpc ripple-t'")).toContain(
      "ripple-testnet"
    )
  })

  it.runIf(has("zsh"))(
    "complete in zsh, sourced where completions are on or not yet, and as a file of its path",
    async () => {
      // a terminal of its own, in which the key of completion is pressed: it shows the whole line, or what comes to it alone
      const typed = (setup: string) => `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell ${JSON.stringify(`PS1= ; fpath=(${folder} $fpath); ${setup}; echo "re""ady"`)}
      zpty -r shell seen '*ready*'
      zpty -w -n shell $'effect-chains rpc ripple-t\\t'
      zpty -r shell seen '*ripple-t*estnet*'
      print -r -- "$seen"`
      const { out: script } = await run(program, ["completions", "zsh"])
      writeFileSync(join(folder, "_effect-chains"), script)
      for (const setup of [
        "source ./_effect-chains",
        "autoload -Uz compinit; compinit -u; source ./_effect-chains",
        "autoload -Uz compinit; compinit -u"
      ]) {
        const { status, stderr, stdout } = spawnSync("zsh", ["-f", "-c", typed(setup)], {
          cwd: folder,
          encoding: "utf8",
          env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: "dumb" },
          timeout: 300_000
        })
        expect([setup, status, stderr]).toEqual([setup, 0, ""])
        expect(stdout).toMatch(/ripple-t.*estnet/s)
        expect(stdout).not.toContain("not found")
      }
    }
  )

  it("are of three shells", async () => {
    expect((await run(program, ["completions", "fish"])).out).toContain("complete -c effect-chains")
    expect((await run(program, ["completions", "zsh"])).out).toContain("#compdef effect-chains")
    expect(await run(program, ["completions", "tcsh"])).toMatchObject({ code: 1, out: "" })
  })
})
