export const toEffect4: (text: string, file: string) => string
