import type { keyScope } from './enums.ts';

export type KeyScope = (typeof keyScope.options)[number];

/** A key with a name (behaviour B11.2). */
export interface NamedKey {
  id: string;
  name: string;
  scope: KeyScope;
  /** domains that `from` may have; null for all */
  domains: readonly string[] | null;
}

export type Role = 'OWNER' | 'ADMIN' | 'MEMBER';

/** The caller of an operation. */
export type Actor =
  /** `named` is absent for the pair of the project itself, which has no restrictions. */
  | { type: 'key'; key: 'public' | 'secret'; projectId: string; named?: NamedKey }
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
