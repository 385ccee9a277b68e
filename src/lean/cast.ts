/**
 * The one cast of the lean runtime. Its functions have the types of Effect's, which the sources are written against;
 * code outside this folder cannot tell them apart. It is a function declaration, since bundlers remove those when
 * unused.
 */
export function as<A>(value: unknown): A {
  return value as A
}
