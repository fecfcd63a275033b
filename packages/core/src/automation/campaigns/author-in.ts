import type { Context } from '../../base/kernel/index.ts';

/** The user who writes a campaign, as `Campaign.changedById`; null for a key and for the service. */
export const authorIn = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.type === 'user' ? actor.userId : null;
