import { link, nothing } from './check.rules.ts';
import { type Explained, linkOfAudit } from './email.rules.ts';
import type { AuditFact, PersonFacts, ProjectFacts } from './facts.rules.ts';
import {
  correctAddress,
  disabledProject,
  isSuppressedSimulator,
  linkOfAct,
  notSubscribed,
  suppressedBy,
} from './person.rules.ts';

export type ContactVerdict = 'REACHABLE' | 'PARTLY' | 'UNREACHABLE';

export interface ContactFacts {
  project: ProjectFacts;
  person: PersonFacts;
  /** no mail server takes an address of this form */
  invalid: boolean;
  /** of the contact, oldest first */
  audit: readonly AuditFact[];
  /** emails that were written to the address, whoever they are about; null if that is not looked for */
  lastEmails: readonly { id: string; status: string; at: Date }[];
}

/** Whether email reaches a person, and what it does not (behaviour B15.8). */
export function explainContact(facts: ContactFacts): Explained<ContactVerdict> {
  const { project, person } = facts;
  const { contact } = person;
  const history = historyOf(facts);
  if (project.disabled)
    return {
      ...disabledProject(project, null),
      verdict: 'UNREACHABLE',
      links: [...history, ...disabledProject(project, null).links],
    };
  if (facts.invalid) {
    return {
      verdict: 'UNREACHABLE',
      cause: 'invalid',
      headline: 'The address is not a valid one',
      links: [
        ...history,
        link('address', 'stopped', 'No mail server takes an address of this form', {
          facts: { address: person.address },
        }),
      ],
      next: [contact ? correctAddress(contact.id) : nothing('Use the right address')],
    };
  }
  const suppressed = suppressedBy(person, project.now);
  if (suppressed) return { ...suppressed, verdict: 'UNREACHABLE', links: [...history, ...suppressed.links] };
  if (isSuppressedSimulator(person.address)) {
    return {
      verdict: 'UNREACHABLE',
      cause: 'suppressed',
      headline: 'The address of the simulator for email to a suppressed address',
      links: [
        ...history,
        link('suppression', 'stopped', 'Email to this address is skipped like that to a suppressed one'),
      ],
      next: [nothing('Use another address of the simulator')],
    };
  }
  const isSubscribed = contact ? contact.subscribed : person.optOut === null;
  if (!isSubscribed) {
    const finding = notSubscribed(person, null);
    const known = new Set(finding.links.map(({ at }) => at?.getTime()));
    return {
      ...finding,
      verdict: 'PARTLY',
      headline: `${finding.headline}: it gets transactional email only`,
      links: [
        ...history.filter(({ check, at }) => check !== 'subscription' || !known.has(at?.getTime())),
        ...finding.links,
      ],
    };
  }
  return {
    verdict: 'REACHABLE',
    cause: null,
    headline: contact
      ? 'The contact is subscribed, and its address is not suppressed'
      : 'No contact has this address, and nothing keeps email from it',
    links: [
      ...history,
      link('suppression', 'passed', 'The address is not on the suppression list'),
      ...(contact ? [link('subscribed', 'passed', 'The contact is subscribed')] : []),
    ],
    next: [],
  };
}

function historyOf({ person, audit, lastEmails }: ContactFacts) {
  const { contact } = person;
  return [
    contact
      ? link('contact', 'information', 'The contact was created', {
          at: contact.createdAt,
          ref: { type: 'contact', id: contact.id },
        })
      : link('contact', 'information', 'No contact of the project has this address', {
          facts: { address: person.address },
        }),
    ...person.acts.map((act) => linkOfAct(act, person, 'information')),
    ...audit.map(linkOfAudit),
    ...lastEmails.map(({ id, status, at }) =>
      link('email', 'information', `An email to the address is ${status}`, {
        at,
        ref: { type: 'email', id },
      }),
    ),
  ];
}
