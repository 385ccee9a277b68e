/**
 * The one cast of the lean runtime. Its functions have the types of effect's, which the sources are written against, and the values
 * that they make are Micro's: nothing outside of this folder can tell them apart. A declaration, since those are what bundlers leave out.
 */
export function as<A>(value: unknown): A {
  return value as A
}
