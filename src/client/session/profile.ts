import { fetchCurrentUser } from '#client/api/auth.ts';
import { ApiError } from '#client/api/http.ts';
import type { User } from '#contract/auth.ts';

/** Whom the server knows by this token; null when nobody answered. Throws when it knows nobody. */
export async function askProfile(token: string): Promise<User | null> {
  return fetchCurrentUser({ token }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === null) return null;
    throw error;
  });
}
