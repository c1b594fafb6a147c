/** Made when it is first asked for, then kept: a start is waited for. */
export function onceMade<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
