export type Role = 'OWNER' | 'ADMIN' | 'MEMBER';

/** Who asks. */
export type Actor =
  | { type: 'key'; key: 'public' | 'secret'; projectId: string }
  /**
   * `role` is that in the project of the request; null when the request names no project, or none of the user's.
   * `emailVerified` is true as well where addresses need not be verified.
   */
  | { type: 'user'; userId: string; emailVerified: boolean; projectId: string | null; role: Role | null }
  | { type: 'anonymous' }
  /** the service itself: workers, seeds, the command line */
  | { type: 'system'; projectId: string | null };
