import type { Filter, FilterTree, Operator } from '../../audience/segments/filters.rules.ts';

/** An audience as what is included and what is excluded (behaviour B13.3). */
export interface AudienceParts {
  /** each a group of filters that must all match, of which one is enough; without any, all contacts */
  include: readonly (readonly Filter[])[];
  /** filters in the form in which they include; none of them may match */
  exclude: readonly Filter[];
}

/** The operators that match exactly the contacts that the other one does not match. */
const opposites = [
  ['memberOfSegment', 'notMemberOfSegment'],
  ['occurred', 'notOccurred'],
  ['triggered', 'notTriggered'],
  ['triggeredWithin', 'notTriggeredWithin'],
  ['hasAnyOf', 'hasNoneOf'],
  ['exists', 'notExists'],
  ['isNotEmpty', 'isEmpty'],
] as const satisfies readonly (readonly [Operator, Operator])[];

const negatives = new Map<Operator, Operator>(opposites);
const positives = new Map<Operator, Operator>(opposites.map(([positive, negative]) => [negative, positive]));

/** Whether there is a filter that matches exactly the contacts that this one does not match. */
export const canExclude = (filter: Filter): boolean => turned(filter, negatives) !== null;

function turned(filter: Filter, operators: ReadonlyMap<Operator, Operator>): Filter | null {
  const operator = operators.get(filter.operator);
  return operator === undefined || (filter.times ?? null) !== null ? null : { ...filter, operator };
}

/**
 * The tree of an audience: one group for what is included, and one with a negative filter for each exclusion.
 *
 * @throws TypeError for a filter that cannot be excluded, and without any part
 */
export function writeAudience({ include, exclude }: AudienceParts): FilterTree {
  if (include.length === 0 && exclude.length === 0) throw new TypeError('An audience of no parts is ALL');
  const without = exclude.map((filter) => {
    const negative = turned(filter, negatives);
    if (!negative) throw new TypeError(`${filter.operator} of ${filter.field} cannot be excluded`);
    return negative;
  });
  const included = {
    filters: [],
    conditions: { logic: 'OR' as const, groups: include.map((filters) => ({ filters: [...filters] })) },
  };
  return {
    logic: 'AND',
    groups: [
      ...(include.length > 0 ? [included] : []),
      ...(without.length > 0 ? [{ filters: without }] : []),
    ],
  };
}

/** A tree as the API accepts it: a group needs no filters of its own. */
interface GivenTree {
  logic: FilterTree['logic'];
  groups: GivenGroup[];
}

interface GivenGroup {
  filters?: Filter[] | null;
  conditions?: GivenTree | null;
}

/** The parts of a tree that `writeAudience` could have written; null of any other. */
export function readAudience({ logic, groups }: GivenTree): AudienceParts | null {
  if (logic !== 'AND' || groups.length > 2) return null;
  const [first, second] = groups;
  const include = first && includedIn(first);
  if (include) {
    const exclude = second ? excludedIn(second) : [];
    return exclude && { include, exclude };
  }
  const exclude = first && !second ? excludedIn(first) : null;
  return exclude && { include: [], exclude };
}

function includedIn({ filters, conditions }: GivenGroup): Filter[][] | null {
  if ((filters ?? []).length > 0 || conditions?.logic !== 'OR') return null;
  const parts = conditions.groups.map((group) => (group.conditions ? [] : (group.filters ?? [])));
  return parts.every((part) => part.length > 0) ? parts : null;
}

function excludedIn({ filters, conditions }: GivenGroup): Filter[] | null {
  const given = filters ?? [];
  if (conditions || given.length === 0) return null;
  const exclude = given.map((filter) => turned(filter, positives));
  return exclude.every((filter) => filter !== null) ? exclude : null;
}

/** The trees of the contacts that are included, and of those that are excluded; null for all contacts, and for none. */
export const treesOfParts = ({
  include,
  exclude,
}: AudienceParts): Record<keyof AudienceParts, FilterTree | null> => ({
  include: include.length === 0 ? null : anyOf(include),
  exclude: exclude.length === 0 ? null : anyOf(exclude.map((filter) => [filter])),
});

const anyOf = (parts: readonly (readonly Filter[])[]): FilterTree => ({
  logic: 'OR',
  groups: parts.map((filters) => ({ filters: [...filters] })),
});

/** The members of a segment, or of a list. */
export const inSegment = (id: string): Filter => ({ field: `segment.${id}`, operator: 'memberOfSegment' });

/** What can be asked of the email of one campaign. */
export type CampaignActivity = 'sent' | 'opened' | 'clicked' | 'cancelled';

/** The contacts whose email of a campaign was sent, opened, clicked in, or not sent because it was cancelled. */
export const inCampaign = (id: string, activity: CampaignActivity): Filter => ({
  field: `email.${activity}`,
  operator: 'occurred',
  where: [{ property: 'campaignId', operator: 'equals', value: id }],
});
