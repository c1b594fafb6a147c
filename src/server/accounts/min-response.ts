/**
 * Requests that behave the same whether or not an account exists take at least this long; otherwise their duration would
 * reveal it, because they execute different statements.
 */
export const minResponseMs = 250;
