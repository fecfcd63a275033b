import { picturedText } from '../../../ui/mail-picture.rules.ts';
import { type Item, pathOf, subjectOf } from './item-in-words.rules.ts';

/** A group of items as the API gives it, on one page. */
interface Page {
  key: string;
  type: string;
  day: string;
  count: number;
  first: string;
  last: string;
}

/** The groups of several pages, newest first: what goes on over the end of a page is one group. */
export function joined<Group extends Page>(pages: readonly (readonly Group[])[]): Group[] {
  const groups = new Map<string, Group>();
  for (const group of pages.flat()) {
    const before = groups.get(group.key);
    groups.set(
      group.key,
      before ? { ...before, count: before.count + group.count, first: group.first } : group,
    );
  }
  return [...groups.values()];
}

/** Whether the pages that are loaded may have only a part of a group: of the earliest day, the next page may have more. */
export const isCounted = (
  group: Pick<Page, 'day'>,
  groups: readonly Pick<Page, 'day'>[],
  isAll: boolean,
): boolean => isAll || groups.some(({ day }) => day < group.day);

/**
 * Whether to read on without being asked: a flood fills whole pages with a few groups, whose counts then say little.
 *
 * @param pages how many were read
 */
export const needsMore = (groups: number, pages: number): boolean => groups < 15 && pages > 0 && pages < 6;

/** What all items of a group are about, and its page: a campaign, a workflow, an event; an email only where the group has no other. */
export function aboutAll({ type, metadata }: Item): { words: string; path: string | null } {
  if (!type.startsWith('email.'))
    return { words: subjectOf({ type, metadata }), path: pathOf({ type, metadata }) };
  const { campaignId, campaignName, workflowId, workflowName, subject } = metadata;
  if (typeof campaignId === 'string') return { words: String(campaignName), path: `campaigns/${campaignId}` };
  if (typeof workflowId === 'string') return { words: String(workflowName), path: `workflows/${workflowId}` };
  return { words: picturedText(String(subject ?? '')), path: null };
}
