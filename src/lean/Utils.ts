/** The chance of the machine, which takes no seed: effect's generator is a kilobyte, and nothing here is to be repeated. */
export class PCGRandom {
  number(): number {
    return Math.random()
  }
}
