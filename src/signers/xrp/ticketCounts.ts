/** How many tickets a transaction makes, as its preview says it. */

/** The most tickets of an account, and so of a transaction. */
export const MAX_TICKETS = 250

/** The line of a preview by which a changed transaction is found. */
export const describeTickets = (count: number): string =>
  count === 1
    ? "It makes a ticket, from which one payment can be made."
    : `It makes ${count} tickets, from each of which one payment can be made.`
