/** Does what the person decided. That this device could not keep it is said by the notice of its trouble. */
export function decide(decision: Promise<unknown>, onDecided?: () => void): void {
  decision.then(onDecided).catch((error: unknown) => console.warn(error));
}
