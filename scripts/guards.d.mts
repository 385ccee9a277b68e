interface Target {
  readonly types: string
  readonly default: string
}

export const withGuards: (exports: Readonly<Record<string, Target | string>>) => Record<string, unknown>
export const guardOf: (message: string, target: string, names: ReadonlyArray<string>) => string
