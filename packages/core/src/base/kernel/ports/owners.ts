/** Whose turn the work of a project is (behaviour B8.6). */
export interface Turn {
  /** id of the user who owns the project; of a project whose owner is not known yet, its own */
  readonly owner: string;
  /** whether the owner's address is proven; all others have one turn together */
  readonly isProven: boolean;
}

/** The owners of projects, as far as this process knows them. */
export interface Owners {
  /** An owner that is not known yet counts as unproven until it is read. A key that is not the id of a project has a turn of its own. */
  turnOf(projectId: string): Turn;
  /** Resolves when the owner has been read, or cannot be for now; null when it is known already. */
  known(projectId: string): Promise<void> | null;
}

/** The owners, and what else is known of them. */
export interface KnownOwners extends Owners {
  /** Whether, as far as this process knows, a content created at that time gets plain filling without a try to render it (behaviour B1.2). */
  fillsInPlainly(projectId: string, createdAt: Date): boolean;
  /** Makes what is known of the owner of a project be read again, because it has changed. */
  forget(projectId: string): void;
}

const unproven = '';

/** Names the turn: the owner, or all owners without a proven address together. */
export const turnKey = ({ owner, isProven }: Turn): string => (isProven ? owner : unproven);

/** For work that belongs to no project: each key has a turn of its own. */
export const ownTurns: Owners = {
  turnOf: (key) => ({ owner: key, isProven: true }),
  known: () => null,
};
