import type { FilterFact } from '../../../audience/segments/filters.rules.ts';
import type { EntryRules } from '../../../automation/workflows/contract.ts';
import { type Finding, link, next, nothing, onDay } from './check.rules.ts';
import { firstMismatch, inWords, linksOfFilters } from './filters.rules.ts';

/** Which rule of a workflow keeps a contact out (behaviour B14.5). */

export interface EntryFacts {
  rules: EntryRules;
  /** the filter for the contact as it is now; null without one, or without a contact */
  judged: { matches: boolean; filters: readonly FilterFact[] } | null;
  /** what is recorded of its entries, also of those whose executions are gone */
  record: {
    entries: number;
    lastAt: Date;
    /** from when the interval lets it enter again; null without one */
    until: Date | null;
  } | null;
  /** of a DATE trigger: the field, what the contact has there, and when it enters next */
  date: { field: string; value: unknown; next: { day: string; at: Date } | null } | null;
}

interface Blocked {
  workflow: { id: string; name: string };
  contact: { id: string; updatedAt: Date };
  entry: EntryFacts;
  /** what would have started an execution */
  at: Date;
  now: Date;
}

const pageOf = ({ workflow }: Blocked): string => `workflows/${workflow.id}`;

const changeRules = (facts: Blocked, text: string) =>
  next('workflows.update', text, { input: { id: facts.workflow.id }, page: pageOf(facts) });

/** A contact that does not match the filter of the workflow now. */
export function filterBlocked(facts: Blocked): Finding | null {
  const { entry, contact, at } = facts;
  if (entry.judged === null || entry.judged.matches) return null;
  const first = firstMismatch(entry.judged.filters);
  return {
    cause: 'entry_filter',
    headline: first
      ? `The contact does not match whom the workflow lets enter: ${inWords(first)}`
      : 'The contact does not match whom the workflow lets enter',
    links: [
      ...linksOfFilters(entry.judged.filters),
      ...(contact.updatedAt > at
        ? [
            link('contact', 'unknown', 'The contact has changed since; what it had then is not recorded', {
              at: contact.updatedAt,
            }),
          ]
        : []),
      link('entry', 'stopped', 'The contact does not match the entry filter of the workflow', {
        ref: { type: 'workflow', id: facts.workflow.id },
      }),
    ],
    next: [
      changeRules(facts, 'Change the entry filter'),
      next('contacts.update', 'Or change the contact', {
        input: { id: contact.id },
        page: `contacts/${contact.id}`,
      }),
    ],
  };
}

/** A contact that has entered as often, or as lately, as the workflow allows. */
export function limitsBlocked(facts: Blocked): Finding | null {
  const { entry, at } = facts;
  const { limit, every } = entry.rules;
  if (entry.record === null) return null;
  const { entries, lastAt, until } = entry.record;
  const ref = { type: 'workflow', id: facts.workflow.id } as const;
  if (limit !== null && entries >= limit)
    return {
      cause: 'entry_limit',
      headline: `The contact has entered ${entries} ${entries === 1 ? 'time' : 'times'}, and the workflow allows no more`,
      links: [
        link('entry', 'stopped', `The workflow lets a contact enter at most ${limit} times`, {
          facts: { entries, limit, lastAt },
          ref,
        }),
      ],
      next: [changeRules(facts, 'Allow more entries')],
    };
  if (every === null || until === null || at >= until) return null;
  return {
    cause: 'entry_interval',
    headline: `The contact entered less than ${every.amount} ${every.unit} before`,
    links: [
      link(
        'entry',
        'stopped',
        `The workflow lets a contact enter again after ${every.amount} ${every.unit}`,
        {
          facts: { lastAt, until, every },
          ref,
        },
      ),
    ],
    next: [
      until > facts.now
        ? nothing(`It can enter again from ${onDay(until)} on`, pageOf(facts))
        : changeRules(facts, 'Shorten the interval'),
    ],
  };
}
