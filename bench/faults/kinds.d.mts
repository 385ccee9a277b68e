export const healthy: object
export const kinds: Readonly<Record<string, object>>
export const serviceTime: () => number
