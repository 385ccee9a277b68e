/** Whether this is the run of the night (`NIGHT=true`), which tries all of what each commit tries a part. */
export const isNight = process.env.NIGHT === "true"
