import type { ChildProcess } from "node:child_process"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the packed package, after `setup`. */
    readonly tarball: string
    /** The path of the packed fleet package. */
    readonly fleet: string
  }
}

export declare const sh: (command: string, args: ReadonlyArray<string>, cwd: string) => string
export declare const pack: (folder: string, workspace?: string) => string
export declare const setup: (project: TestProject) => () => void
type Environment = Readonly<Record<string, string>>
export declare const runQuietly: (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env?: Environment
) => Promise<string>
export declare const project: (
  folder: string,
  packages: ReadonlyArray<string>,
  files?: Readonly<Record<string, string>>
) => Promise<string>
export declare const startProgram: (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  ready: RegExp,
  env?: Environment
) => Promise<{ readonly child: ChildProcess; readonly output: () => string }>
export declare const sandbox: () => Promise<{
  readonly provider: { readonly baseUrl: string; readonly nodeListUrl: string; readonly domain: string }
  readonly end: () => Promise<unknown>
}>
