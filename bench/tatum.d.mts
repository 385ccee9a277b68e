/** The version of the incumbent's SDK that is measured and run. */
export const version: string
