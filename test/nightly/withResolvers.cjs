// What Lodestar's libraries expect of the Node that came after 20.
Promise.withResolvers ??= function () {
  const parts = {}
  parts.promise = new this((resolve, reject) => {
    Object.assign(parts, { resolve, reject })
  })
  return parts
}
