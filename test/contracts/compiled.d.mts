export const compiled: (
  file?: string
) => Promise<
  Readonly<
    Record<
      string,
      { readonly abi: ReadonlyArray<unknown>; readonly code: `0x${string}`; readonly deployed: `0x${string}` }
    >
  >
>
