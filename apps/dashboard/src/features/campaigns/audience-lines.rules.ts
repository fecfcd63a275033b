import type { Filter, FilterTree, Operator } from '@postrider/core/audience/segments/contract';
import {
  type CampaignActivity,
  inCampaign,
  inSegment,
  readAudience,
} from '@postrider/core/automation/campaigns/contract';
import {
  type FilterDraft,
  fromTree,
  isGroup,
  newTree,
  type TreeDraft,
} from '../common/filters/filter-tree.rules.ts';

/** An audience as lines: "Send to … except …". Each line is a segment, or what was done with the email of one campaign. */

export const lineKinds = ['segment', 'sent', 'opened', 'clicked', 'cancelled'] as const;
export type LineKind = (typeof lineKinds)[number];

export interface AudienceLines {
  include: FilterDraft[];
  exclude: FilterDraft[];
}
export type Side = keyof AudienceLines;

const isLine = (draft: FilterDraft): boolean => kindOf(draft) !== null;

/** What a line names; null of a filter that is none. */
export function kindOf({ kind, name, where = [], window, times }: FilterDraft): LineKind | null {
  if (kind === 'segment') return 'segment';
  const [only, ...more] = where;
  const isOfCampaign = only?.name === 'campaignId' && only.operator === 'equals' && more.length === 0;
  if (kind !== 'activity' || !isOfCampaign || window || times) return null;
  return lineKinds.find((each) => each === name) ?? null;
}

/** The id of the segment or campaign of a line. */
export const idOf = (line: FilterDraft): string =>
  line.kind === 'segment' ? line.name : (line.where?.[0]?.value ?? '');

const operators: Record<Side, { segment: Operator; activity: Operator }> = {
  include: { segment: 'memberOfSegment', activity: 'occurred' },
  exclude: { segment: 'notMemberOfSegment', activity: 'notOccurred' },
};

const operatorOf = (side: Side, { kind }: FilterDraft): Operator =>
  operators[side][kind === 'segment' ? 'segment' : 'activity'];

const draftOf = (filter: Filter): FilterDraft => {
  const [draft] = fromTree({ logic: 'AND', groups: [{ filters: [filter] }] }).items;
  if (!draft || isGroup(draft)) throw new TypeError('one filter is one condition');
  return draft;
};

/** A line. @param key of the line that it replaces */
export function lineOf(side: Side, kind: LineKind, id: string, key?: string): FilterDraft {
  const filter = kind === 'segment' ? inSegment(id) : inCampaign(id, kind satisfies CampaignActivity);
  const draft = { ...draftOf(filter), ...(key !== undefined && { key }) };
  // The name of a segment that is still to be chosen is no field that could be read.
  const named = kind === 'segment' ? { ...draft, kind: 'segment' as const, name: id } : draft;
  return { ...named, operator: operatorOf(side, named) };
}

/** The same lines as a draft of the filter builder, divided as `writeAudience` divides a tree. */
export function treeOfLines({ include, exclude }: AudienceLines): TreeDraft {
  const any: TreeDraft = {
    ...newTree('OR'),
    items: include.map((line) => ({ ...newTree('AND'), items: [line] })),
  };
  if (include.length === 0) return { ...newTree('AND'), items: exclude };
  const none: TreeDraft = { ...newTree('AND'), items: exclude };
  return { ...newTree('AND'), items: exclude.length > 0 ? [any, none] : [any] };
}

/** The lines of a draft; null of one that is not made of lines. */
export function linesOfTree({ logic, items }: TreeDraft): AudienceLines | null {
  if (logic !== 'AND') return null;
  const [any, none, ...more] = items;
  if (!any || !isGroup(any)) return checked([], items);
  const isNone = !none || (isGroup(none) && none.logic === 'AND');
  if (any.logic !== 'OR' || !isNone || more.length > 0) return null;
  return checked(any.items.map(onlyItemOf), none && isGroup(none) ? none.items : []);
}

/** An item by itself, or the only one of a group. */
function onlyItemOf(item: FilterDraft | TreeDraft): FilterDraft | TreeDraft {
  if (!isGroup(item)) return item;
  const [only, ...more] = item.items;
  return only && more.length === 0 ? only : item;
}

function checked(
  include: readonly (FilterDraft | TreeDraft)[],
  exclude: readonly (FilterDraft | TreeDraft)[],
): AudienceLines | null {
  const isOf =
    (side: Side) =>
    (item: FilterDraft | TreeDraft): item is FilterDraft =>
      !isGroup(item) && isLine(item) && item.operator === operatorOf(side, item);
  const included = include.filter(isOf('include'));
  const excluded = exclude.filter(isOf('exclude'));
  const isWhole = included.length === include.length && excluded.length === exclude.length;
  return isWhole && included.length + excluded.length > 0 ? { include: included, exclude: excluded } : null;
}

/** The draft for editing the condition of a campaign: as lines where it is made of them. */
export function draftOfAudience(condition: FilterTree): TreeDraft {
  const parts = readAudience(condition);
  const isPlain = parts?.include.every((group) => group.length === 1) ?? false;
  if (!parts || !isPlain) return fromTree(condition);
  const sides: [Side, Filter[]][] = [
    ['include', parts.include.flat()],
    ['exclude', [...parts.exclude]],
  ];
  const [include = [], exclude = []] = sides.map(([side, filters]) =>
    filters.map((filter) => {
      const draft = draftOf(filter);
      return kindOf(draft) ? { ...draft, operator: operatorOf(side, draft) } : draft;
    }),
  );
  return [...include, ...exclude].every(isLine) ? treeOfLines({ include, exclude }) : fromTree(condition);
}

/** The tree whose contacts a line names, also one that excludes them. */
export const treeOfLine = (line: FilterDraft): TreeDraft => ({
  ...newTree('AND'),
  items: [{ ...line, operator: operatorOf('include', line) }],
});
