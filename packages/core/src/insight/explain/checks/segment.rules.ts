import type { FilterFact } from '../../../audience/segments/filters.rules.ts';
import { link, next } from './check.rules.ts';
import { type Explained, linkOfAudit } from './email.rules.ts';
import type { AuditFact, PersonFacts } from './facts.rules.ts';
import { firstMismatch, inWords, linksOfFilters } from './filters.rules.ts';

export type SegmentVerdict = 'MEMBER' | 'NOT_MEMBER';

export interface SegmentFacts {
  segment: {
    id: string;
    name: string;
    type: 'DYNAMIC' | 'STATIC';
    trackMembership: boolean;
    computedAt: Date | null;
    failedReason: string | null;
  };
  person: PersonFacts;
  /** of a DYNAMIC segment and a contact */
  matches: boolean | null;
  filters: readonly FilterFact[] | null;
  membership: { enteredAt: Date; exitedAt: Date | null } | null;
  audit: readonly AuditFact[];
}

/** Why a contact is a member of a segment, or not (behaviour B15.8). */
export function explainSegment(facts: SegmentFacts): Explained<SegmentVerdict> {
  const { segment, person, membership, matches, filters } = facts;
  const ref = { type: 'segment', id: segment.id } as const;
  const page = `segments/${segment.id}`;
  const history = [
    ...facts.audit.map(linkOfAudit),
    ...(membership
      ? [link('membership', 'information', 'The contact became a member', { at: membership.enteredAt, ref })]
      : []),
    ...(membership?.exitedAt
      ? [link('membership', 'information', 'The contact left the segment', { at: membership.exitedAt, ref })]
      : []),
  ];
  const isStored = membership !== null && membership.exitedAt === null;
  const { contact } = person;
  if (!contact) {
    return {
      verdict: 'NOT_MEMBER',
      cause: 'no_member',
      headline: 'No contact has this address, so no segment has it',
      links: [
        ...history,
        link('contact', 'stopped', 'No contact of the project has this address', {
          facts: { address: person.address },
        }),
      ],
      next: [next('contacts.upsert', 'Create the contact', { page: 'contacts' })],
    };
  }
  if (segment.type === 'STATIC') {
    if (isStored)
      return {
        verdict: 'MEMBER',
        cause: null,
        headline: `The contact is a member of “${segment.name}”`,
        links: history,
        next: [],
      };
    const text = membership?.exitedAt
      ? 'The contact was taken off the list'
      : 'The contact was never put on the list';
    return {
      verdict: 'NOT_MEMBER',
      cause: 'no_member',
      headline: `${text} of “${segment.name}”`,
      links: [...history, link('membership', 'stopped', text, { at: membership?.exitedAt ?? null, ref })],
      next: [
        next('segments.addMembers', 'Add the contact', {
          input: { id: segment.id, emails: [contact.email] },
          page,
        }),
      ],
    };
  }
  const links = [...history, ...(filters ? linksOfFilters(filters) : [])];
  if (matches !== true) {
    const first = filters && firstMismatch(filters);
    return {
      verdict: 'NOT_MEMBER',
      cause: 'filter',
      headline: first
        ? `The contact does not match: ${inWords(first)}`
        : 'The contact does not match the condition',
      links: [
        ...links,
        ...(segment.trackMembership && isStored
          ? [
              link('computation', 'waiting', 'It leaves the members when the segment is computed next', {
                facts: { computedAt: segment.computedAt },
                ref,
              }),
            ]
          : []),
        link('condition', 'stopped', 'The contact does not match the condition of the segment', { ref }),
      ],
      next: [
        next('segments.update', 'Change the condition', { input: { id: segment.id }, page }),
        next('contacts.update', 'Or change the contact', {
          input: { id: contact.id },
          page: `contacts/${contact.id}`,
        }),
      ],
    };
  }
  if (segment.trackMembership && !isStored) {
    return {
      verdict: 'NOT_MEMBER',
      cause: 'not_computed',
      headline: segment.failedReason
        ? 'The contact matches, but the segment cannot be computed'
        : 'The contact matches, and the members of the segment were not computed since',
      links: [
        ...links,
        link('computation', 'waiting', 'The members were computed last before the contact matched', {
          at: segment.computedAt,
          facts: { computedAt: segment.computedAt, failedReason: segment.failedReason },
          ref,
        }),
      ],
      next: [
        ...(segment.failedReason === null
          ? []
          : [
              next(
                'segments.update',
                `Correct the condition, which cannot be computed: ${segment.failedReason}`,
                {
                  input: { id: segment.id },
                  page,
                },
              ),
            ]),
        next('segments.compute', 'Have the segment computed now', { input: { id: segment.id }, page }),
      ],
    };
  }
  return {
    verdict: 'MEMBER',
    cause: null,
    headline: `The contact matches the condition of “${segment.name}”`,
    links: [
      ...links,
      link('condition', 'passed', 'The contact matches the condition of the segment', { ref }),
    ],
    next: [],
  };
}
