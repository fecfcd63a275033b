import type { DiagnosisClass } from '../../../base/kernel/enums.ts';
import type { Unsendable } from '../../../mail/ledger/unsendable.rules.ts';
import { unsendableBy } from '../../../mail/ledger/unsendable.rules.ts';
import { type Check, defineCheck, type Finding, link, type Next, next, nothing } from './check.rules.ts';
import type { EmailFacts } from './facts.rules.ts';
import { correctAddress } from './person.rules.ts';

const server = { type: 'server', id: null, label: 'The receiving mail server' } as const;

/** What the receiving side said, as the last link, with what to do about it. */
const said =
  (cause: DiagnosisClass, headline: string, nexts: (facts: EmailFacts) => Next[]) =>
  (facts: EmailFacts): Finding => {
    const { email } = facts;
    const { diagnosis } = email;
    const at = diagnosis?.at ? new Date(diagnosis.at) : (email.bouncedAt ?? email.updatedAt);
    const text = diagnosis?.text ?? email.error;
    return {
      cause,
      headline,
      links: [
        link(
          'answer',
          text || diagnosis ? 'stopped' : 'unknown',
          text ?? 'What the receiving server said is no longer stored',
          {
            at,
            actor: server,
            facts: {
              class: diagnosis?.class ?? null,
              code: diagnosis?.code ?? null,
              reply: diagnosis?.reply ?? null,
            },
          },
        ),
      ],
      next: nexts(facts),
    };
  };

const deadAddress = ({ person }: EmailFacts): Next[] => [
  ...(person?.contact ? [correctAddress(person.contact.id)] : []),
  ...(person?.suppression?.reason === 'BOUNCE'
    ? [
        next(
          'contacts.deleteSuppression',
          'If the mailbox works again, take the address off the suppression list',
          {
            input: { email: person.address },
            page: 'contacts/suppressions',
          },
        ),
      ]
    : []),
  ...(person?.contact ? [] : [nothing('Use another address')]),
];

const health = ({ domain }: EmailFacts): Next[] => [
  domain
    ? next(
        'domains.health',
        'Look at the health of the sender domain: its records, its key and lists of senders',
        {
          input: { id: domain.id },
          page: `domains/${domain.id}`,
        },
      )
    : nothing('Who runs this installation looks at the name and the reputation of its mail server'),
];

const content = ({ email }: EmailFacts): Next[] => [
  contentOf(email) ?? nothing('Change the content of the email'),
];

function contentOf({ templateId, campaignId }: EmailFacts['email']): Next | null {
  if (campaignId !== null)
    return next('campaigns.get', 'Look at the content of the campaign', {
      input: { id: campaignId },
      page: `campaigns/${campaignId}`,
    });
  return templateId === null
    ? null
    : next('templates.update', 'Change the template', {
        input: { id: templateId },
        page: `templates/${templateId}`,
      });
}

/** A check of each class of refusals (behaviour B3.7). */
export const classChecks = {
  no_mailbox: defineCheck<EmailFacts>(
    said('no_mailbox', 'The receiving server knows no such mailbox', deadAddress),
  ),
  no_domain: defineCheck<EmailFacts>(
    said('no_domain', 'The domain of the address takes no email', deadAddress),
  ),
  closed: defineCheck<EmailFacts>(said('closed', 'The mailbox is closed', deadAddress)),
  full: defineCheck<EmailFacts>(
    said('full', 'The mailbox has no room', () => [nothing('Send again later: the mailbox is full now')]),
  ),
  unreachable: defineCheck<EmailFacts>(
    said('unreachable', 'The receiving server could not take the email', () => [nothing('Send again later')]),
  ),
  blocked: defineCheck<EmailFacts>(
    said('blocked', 'The receiving server blocks it because of the sender’s reputation or rate', health),
  ),
  authentication: defineCheck<EmailFacts>(
    said('authentication', 'The receiving server does not believe who sent it (SPF, DKIM, DMARC)', health),
  ),
  content: defineCheck<EmailFacts>(
    said('content', 'The receiving server refuses what the email contains', content),
  ),
  too_large: defineCheck<EmailFacts>(
    said('too_large', 'The email is too large for the receiving server', ({ email }) => [
      contentOf(email) ?? next('sending.send', 'Send a smaller message, with links in place of attachments'),
    ]),
  ),
  policy: defineCheck<EmailFacts>(
    said('policy', 'A rule of the receiving server forbids it', () => [
      nothing('Ask the recipient to allow the sender; the answer says which rule it is'),
    ]),
  ),
  other: defineCheck<EmailFacts>(
    said('other', 'The receiving server refused it', () => [
      nothing('The answer says why, in its own words'),
    ]),
  ),
} satisfies Record<DiagnosisClass, Check<EmailFacts>>;

const stopped = (check: string, { email }: EmailFacts, text: string, facts: Record<string, unknown> = {}) =>
  link(check, 'stopped', text, { at: email.updatedAt, facts });

/** Words such as `line 3, column 7` of an error of a template. */
const placePattern = /line (\d{1,6})(?:,? col(?:umn)? (\d{1,6}))?/;

function placeOf(error: string): Record<string, unknown> {
  const [, line, column] = placePattern.exec(error.slice(0, 2_000)) ?? [];
  return { ...(line && { line: Number(line) }), ...(column && { column: Number(column) }) };
}

const rendered = defineCheck<EmailFacts>((facts) => {
  const error = facts.email.error ?? '';
  return {
    cause: 'render_failed',
    headline: 'The content could not be rendered',
    links: [stopped('render', facts, error, placeOf(error))],
    next: [
      contentOf(facts.email) ?? next('sending.send', 'Correct the content of the request, and send it again'),
    ],
  };
});

/** What failed for a reason that is no more can be sent again. */
const again = ({ campaignId, sourceType }: EmailFacts['email']): Next =>
  campaignId !== null
    ? next('campaigns.retry', 'The domain is verified now: send the failed emails of the campaign again', {
        input: { id: campaignId },
        page: `campaigns/${campaignId}`,
      })
    : sourceType === 'TRANSACTIONAL'
      ? next('sending.send', 'The domain is verified now: send it again, if it is still wanted')
      : nothing('The domain is verified now, so later email leaves');

const verify = ({ domain, email }: EmailFacts): Next[] => [
  domain?.status === 'VERIFIED'
    ? again(email)
    : domain
      ? next('domains.verify', 'Publish the records of the domain that are missing, and have it checked', {
          input: { id: domain.id },
          page: `domains/${domain.id}`,
        })
      : next('domains.create', 'Add the domain again, or send from another one', { page: 'domains' }),
];

/** A check of each reason for which an email could not be handed over. */
export const unsendableChecks = {
  domainRemoved: defineCheck<EmailFacts>((facts) => ({
    cause: 'domain_removed',
    headline: 'The sender domain was removed from the project',
    links: [
      stopped('domain', facts, 'The domain of the sender was removed before the email was sent', {
        from: facts.email.from,
      }),
    ],
    next: verify(facts),
  })),
  domainUnverified: defineCheck<EmailFacts>((facts) => ({
    cause: 'domain_unverified',
    headline: 'The sender domain was not verified',
    links: [
      stopped('domain', facts, 'The domain of the sender was not verified for the present mail server', {
        from: facts.email.from,
        statusNow: facts.domain?.status ?? null,
      }),
    ],
    next: verify(facts),
  })),
  billingLimit: defineCheck<EmailFacts>((facts) => ({
    cause: 'billing_limit',
    headline: 'The cap of the month was reached',
    links: [
      stopped('billing', facts, 'The email would have exceeded the cap that the project has set for a month'),
    ],
    next: [
      next('billing.setLimits', 'Raise the cap, or wait for the first day of the next month (UTC)', {
        page: 'billing',
      }),
    ],
  })),
  dailyLimit: defineCheck<EmailFacts>((facts) => ({
    cause: 'daily_limit',
    headline: 'The daily limit of a new project was reached',
    links: [
      stopped(
        'daily limit',
        facts,
        'The email would have exceeded the number that a new project may send in a day',
      ),
    ],
    next: [nothing('The limit resets at midnight UTC, and grows with each day of good email')],
  })),
  storageLimit: defineCheck<EmailFacts>((facts) => ({
    cause: 'storage_limit',
    headline: 'The storage limit of the owner was reached',
    links: [
      stopped(
        'storage',
        facts,
        'The content could not be stored: the projects of the owner use all of their storage',
      ),
    ],
    next: [nothing('Delete images, imports or exports that are not needed, or ask the operator', 'settings')],
  })),
  notCreated: rendered,
  notRead: rendered,
} satisfies Record<Unsendable, Check<EmailFacts>>;

/** 4xx: not refused for good. */
const isTemporary = ({ diagnosis }: EmailFacts['email']): boolean =>
  diagnosis !== null &&
  (diagnosis.reply === null ? (diagnosis.code?.startsWith('4.') ?? false) : diagnosis.reply < 500);

const gaveUp = defineCheck<EmailFacts>((facts) => {
  const { email } = facts;
  return {
    cause: 'gave_up',
    headline: `It was refused for now for 72 hours, in ${email.attempts} attempts`,
    links: [
      stopped(
        'attempt',
        facts,
        `The last attempt was refused for now as well: ${email.diagnosis?.text ?? email.error ?? 'why is not recorded'}`,
        {
          attempts: email.attempts,
          class: email.diagnosis?.class ?? null,
          code: email.diagnosis?.code ?? null,
        },
      ),
    ],
    next: [nothing('Send again once the receiving server takes email')],
  };
});

/** Why an email failed. */
export function failure(facts: EmailFacts): Finding {
  const { email, interactions } = facts;
  const cause = email.error === null ? null : unsendableBy(email.error);
  if (cause !== null && email.diagnosis === null) return unsendableChecks[cause](facts);
  if (isTemporary(email)) return gaveUp(facts);
  if (email.diagnosis) return classChecks[email.diagnosis.class](facts);
  if (interactions.some(({ type }) => type === 'deferral')) return gaveUp(facts);
  if (email.error !== null) return classChecks.other(facts);
  return {
    cause: 'unknown',
    headline: 'The email failed, and why is no longer stored',
    links: [link('attempt', 'unknown', 'Why it failed is no longer stored', { at: email.updatedAt })],
    next: [nothing('Send it again, if it is still wanted')],
  };
}
