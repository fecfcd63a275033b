/** Whose turn the work of a project is (behaviour B8.6). */
export interface Turn {
  /** id of the user who owns the project; of a project whose owner is not known yet, its own */
  readonly owner: string;
  /** whether the owner's address is proven; all others have one turn together */
  readonly isProven: boolean;
}

/** The owners of projects, as far as this process knows them. */
export interface Owners {
  /** An owner that is not known yet counts as unproven until it is read. A key that is no id of a project stands for itself. */
  turnOf(projectId: string): Turn;
  /** Resolves when the owner has been read, or cannot be for now; null when it is known already. */
  known(projectId: string): Promise<void> | null;
}

/** The owners, and what else is known of them. */
export interface KnownOwners extends Owners {
  /** Whether a content of that time is filled in by plain replacement without a try (behaviour B1.2), as far as this process knows. */
  fillsInPlainly(projectId: string, createdAt: Date): boolean;
  /** What is known of its owner has changed, and is read again. */
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
