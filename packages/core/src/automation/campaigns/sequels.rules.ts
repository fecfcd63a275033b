import { conflict } from '../../base/kernel/errors.ts';
import { namedEnum } from '../../base/kernel/schemas.ts';
import { suggestions } from '../../base/kernel/suggestions.rules.ts';
import { type AudienceParts, inCampaign } from './audience-parts.rules.ts';
import type { CampaignStatus } from './campaigns.rules.ts';

/** For which part of a campaign's recipients a sequel is (behaviour B13.3). */
export const sequelKind = namedEnum('SequelKind', ['REST', 'NEW', 'NOT_OPENED', 'NOT_CLICKED', 'CLICKED']);
export type SequelKind = (typeof sequelKind.options)[number];

interface Sequel {
  /** the states of the campaign that it follows */
  states: readonly CampaignStatus[];
  /** whether it completes the round of that campaign, instead of beginning the next one */
  sameRound: boolean;
  /** whom it is for; null for the audience of that campaign as it is now */
  audience: ((campaignId: string) => AudienceParts) | null;
}

const ended = ['SENT', 'CANCELLED'] as const;

export const sequels: Record<SequelKind, Sequel> = {
  REST: {
    states: ['CANCELLED'],
    sameRound: true,
    audience: (id) => ({ include: [[inCampaign(id, 'cancelled')]], exclude: [] }),
  },
  NEW: { states: ended, sameRound: true, audience: null },
  NOT_OPENED: {
    states: ended,
    sameRound: false,
    audience: (id) => ({ include: [[inCampaign(id, 'sent')]], exclude: [inCampaign(id, 'opened')] }),
  },
  NOT_CLICKED: {
    states: ended,
    sameRound: false,
    audience: (id) => ({ include: [[inCampaign(id, 'sent')]], exclude: [inCampaign(id, 'clicked')] }),
  },
  CLICKED: {
    states: ended,
    sameRound: false,
    audience: (id) => ({ include: [[inCampaign(id, 'clicked')]], exclude: [] }),
  },
};

/** The most campaigns of a family. */
export const mostOfFamily = 20;

/** @throws AppError CONFLICT with the current status */
export function assertFollowable(kind: SequelKind, status: CampaignStatus): void {
  const { states } = sequels[kind];
  if (states.includes(status)) return;
  throw conflict(`A campaign that is ${status} cannot have a sequel ${kind}`, {
    suggestion: suggestions.CONFLICT.campaignState(states),
  });
}

const numbered = / \(\d+\)$/;

/**
 * The name of the campaign with this number in its family, cut to the limit.
 *
 * @param isSequel whether the campaign that it follows is one, whose own number is replaced
 */
export function nameOfSequel(name: string, number: number, isSequel: boolean, max: number): string {
  const suffix = ` (${number})`;
  const base = isSequel ? name.replace(numbered, '') : name;
  const kept = base.slice(0, max - suffix.length);
  // An unpaired surrogate cannot be stored.
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + suffix;
}
