/** Mailed tokens and sessions are kept for a day after they have expired. */
export const signInKeptMs = 86_400_000;
