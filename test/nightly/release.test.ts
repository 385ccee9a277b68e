/**
 * A release as its workflow makes it, in a clone: the steps of `.github/workflows/release.yml`, and what the action of changesets runs
 * between them. The registry is one of this test on loopback; provenance is GitHub's alone to give.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"

const root = fileURLToPath(new URL("../..", import.meta.url))
const { jobs } = parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8"))
const steps: ReadonlyArray<{ readonly run?: string; readonly with?: Readonly<Record<string, string>> }> =
  jobs.release.steps
const action = steps.at(-1)?.with

/** What a package was published as: its manifest, and its tarball. */
interface Published {
  readonly manifest: {
    readonly version: string
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  readonly tarball: Buffer
}

/** A registry that takes packages, and knows nothing but what it was given. */
const published = new Map<string, Published>()
const registry = createServer((request, response) => {
  const name = decodeURIComponent((request.url ?? "").slice(1))
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    if (request.method === "PUT") {
      const { _attachments, versions } = JSON.parse(Buffer.concat(chunks).toString())
      const [manifest] = Object.values<Published["manifest"]>(versions)
      const [attached] = Object.values<{ readonly data: string }>(_attachments)
      if (manifest === undefined || attached === undefined) throw new Error(`${name} has no version`)
      published.set(name, { manifest, tarball: Buffer.from(attached.data, "base64") })
    }
    response.writeHead(request.method === "PUT" ? 201 : 404, { "content-type": "application/json" })
    response.end("{}")
  })
})

const temp = mkdtempSync(join(tmpdir(), "effect-chains-release-"))
const clone = join(temp, "clone")
const execute = promisify(execFile)
const sh = async (command: string, cwd = clone, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const who = { NAME: "release", EMAIL: "release@localhost" }
  const identity = Object.entries(who).flatMap(([key, value]) =>
    ["AUTHOR", "COMMITTER"].map((role) => [`GIT_${role}_${key}`, value])
  )
  const { stdout } = await execute("bash", ["-euo", "pipefail", "-c", command], {
    cwd,
    env: { ...process.env, ...Object.fromEntries(identity), RUNNER_TEMP: temp, ...env },
    maxBuffer: 2 ** 26
  })
  return stdout.trim()
}

const json = (path: string) => JSON.parse(readFileSync(join(clone, path), "utf8"))

describe("a release", { timeout: 900_000 }, () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve))
    await sh(`git clone -q "${root}" "${clone}"`, temp)
  })
  afterAll(async () => {
    const closed = new Promise((resolve) => registry.close(resolve))
    registry.closeAllConnections()
    await closed
    rmSync(temp, { recursive: true })
  })

  it("passes the steps of its workflow, which leave nothing in the checkout and say what the package is made of", async () => {
    for (const { run } of steps) if (run !== undefined) await sh(run)
    expect(await sh("git status --porcelain")).toBe("")
    const { components } = JSON.parse(readFileSync(join(temp, "sbom.json"), "utf8"))
    const names = components.map(({ name }: { readonly name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining(["effect-chains", ...Object.keys(json("package.json").dependencies)])
    )
  })

  it("has a pull request of versions and changelogs, in which nothing is left to mend", async () => {
    const before = json("package.json").version
    await sh(action?.version ?? "")
    const { version } = json("package.json")
    expect(version).not.toBe(before)
    expect(json("packages/fleet/package.json")).toMatchObject({
      version: expect.stringMatching(/^0\./),
      peerDependencies: { "effect-chains": `>=${version} <1.0.0` }
    })
    expect(readFileSync(join(clone, "src/config/version.ts"), "utf8")).toContain(`"${version}"`)
    const changed = (await sh("git status --porcelain"))
      .split("\n")
      .map((line) => line.trim().split(" ").at(-1))
    expect(changed.filter((path) => !/^\.changeset\/[\w-]+\.md$/.test(path ?? "")).sort()).toEqual([
      "CHANGELOG.md",
      "package-lock.json",
      "package.json",
      "packages/fleet/CHANGELOG.md",
      "packages/fleet/package.json"
    ])
    await sh("git add . && git commit -qm 'Version Packages'")
    for (const command of [
      "npm ci --ignore-scripts",
      "npx biome check --error-on-warnings .",
      "npm run types"
    ])
      await sh(command)
  })

  it("is published as the packages of these versions, each with what was built", async () => {
    const { port } = registry.address() as AddressInfo
    const host = `127.0.0.1:${port}`
    const npmrc = join(temp, "npmrc")
    writeFileSync(npmrc, `//${host}/:_authToken=anybody\n`)
    await sh(action?.publish ?? "", clone, {
      npm_config_registry: `http://${host}/`,
      npm_config_userconfig: npmrc
    })
    for (const folder of [".", "packages/fleet"]) {
      const { name, version, peerDependencies } = json(join(folder, "package.json"))
      const { manifest, tarball } = published.get(name) ?? {}
      expect(manifest).toMatchObject({ version, peerDependencies })
      const file = join(temp, "published.tgz")
      writeFileSync(file, tarball ?? "")
      expect((await sh(`tar -tzf "${file}"`)).split("\n")).toContainEqual(
        expect.stringMatching(/^package\/dist\/(src\/)?index\.js$/)
      )
      expect(await sh("git tag")).toContain(`${name}@${version}`)
    }
    expect([...published.keys()].sort()).toEqual(["@effect-chains/fleet", "effect-chains"])
  })
})
