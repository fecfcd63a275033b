export type Role = 'OWNER' | 'ADMIN' | 'MEMBER';

/** The caller of an operation. */
export type Actor =
  | { type: 'key'; key: 'public' | 'secret'; projectId: string }
  /**
   * `role` is the user's role in the project of the request; null without a project, or when the user is not a member.
   * `emailVerified` is also true where verification is not required.
   */
  | {
      type: 'user';
      userId: string;
      emailVerified: boolean;
      projectId: string | null;
      role: Role | null;
      sessionId?: string;
    }
  | { type: 'anonymous' }
  /** the service itself: workers, seeds, the command line */
  | { type: 'system'; projectId: string | null };
