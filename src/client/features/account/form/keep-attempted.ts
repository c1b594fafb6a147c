interface Attempted {
  from?: string | undefined;
}

/** For the links between account screens: after any detour, signing in leads to the screen that was asked for. */
export function keepAttempted({ from }: Attempted): Attempted {
  return { from };
}
