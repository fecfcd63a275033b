import type { FilterFact } from '../../../audience/segments/filters.rules.ts';
import type { CampaignStatus, CampaignStatusReason } from '../../../automation/campaigns/campaigns.rules.ts';
import {
  type Check,
  defineCheck,
  type Finding,
  type Link,
  link,
  type Next,
  next,
  nothing,
  onDay,
} from './check.rules.ts';
import { type Explained, linkOfAudit } from './email.rules.ts';
import type { AuditFact, PersonFacts, ProjectFacts, TopicFact } from './facts.rules.ts';
import { firstMismatch, inWords, linksOfFilters } from './filters.rules.ts';
import { disabledProject, linkOfAct, suppressedBy } from './person.rules.ts';
import { notReceiving } from './topic.rules.ts';

/** Why a campaign wrote no email for a contact. */

export interface CampaignFact {
  id: string;
  name: string;
  type: 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS';
  status: CampaignStatus;
  statusReason: string | null;
  /** null without one */
  topic: TopicFact | null;
  audienceType: 'ALL' | 'SEGMENT' | 'FILTERED';
  segmentId: string | null;
  scheduledFor: Date | null;
  /** when sending started: contacts that were created later are not in the audience */
  sentAt: Date | null;
  frozenAt: Date | null;
  /** while it is frozen in parts: up to where */
  frozenTo: { createdAt: Date; id: string } | null;
  updatedAt: Date;
}

export interface CampaignFacts {
  project: ProjectFacts;
  campaign: CampaignFact;
  /** emails of the campaign were removed for their age */
  isExpired: boolean;
  person: PersonFacts;
  /** the condition of its audience, for this contact at present; null for all contacts, or without a contact */
  filters: readonly FilterFact[] | null;
  /** whether the contact matches the audience at present; null without a contact */
  matches: boolean | null;
  segment: { id: string; name: string; type: 'DYNAMIC' | 'STATIC'; updatedAt: Date } | null;
  /** of a STATIC segment */
  membership: { enteredAt: Date; exitedAt: Date | null } | null;
  domain: { id: string } | null;
  audit: readonly AuditFact[];
}

const pageOf = ({ id }: CampaignFact): string => `campaigns/${id}`;
const refOf = ({ id }: CampaignFact) => ({ type: 'campaign', id }) as const;

const ended = (headline: string, nexts: (facts: CampaignFacts) => Next[]): Check<CampaignFacts> =>
  defineCheck((facts) => ({
    cause: 'campaign_cancelled',
    headline,
    links: [
      link('campaign', 'stopped', headline, {
        at: facts.campaign.updatedAt,
        facts: { statusReason: facts.campaign.statusReason },
        actor: { type: 'system', id: null, label: 'Postrider' },
        ref: refOf(facts.campaign),
      }),
    ],
    next: nexts(facts),
  }));

const copy = ({ campaign }: CampaignFacts, text: string): Next =>
  next('campaigns.duplicate', text, { input: { id: campaign.id }, page: pageOf(campaign) });

/** Another campaign for this contact: nothing where it would not get that either, and first what keeps email from it. */
function sequel(facts: CampaignFacts, text: string): Next[] {
  const { campaign, person, project } = facts;
  const { contact } = person;
  if (campaign.type !== 'TRANSACTIONAL' && contact && !contact.subscribed)
    return [nothing('The contact is not subscribed, and nobody but the person can change that')];
  const suppressed = suppressedBy(person, project.now);
  if (!suppressed) return [copy(facts, text)];
  const [first] = suppressed.next;
  return first?.action === 'none' ? suppressed.next : [...suppressed.next, copy(facts, text)];
}

/** A check of each reason for which the service ended a campaign (behaviour B2.3). */
export const statusReasonChecks = {
  domain_unverified: ended(
    'The campaign was cancelled, because its sender domain is not verified',
    (facts) => [
      facts.domain
        ? next('domains.verify', 'Publish the records of the domain, and have it checked', {
            input: { id: facts.domain.id },
            page: `domains/${facts.domain.id}`,
          })
        : next('domains.create', 'Add the domain of the sender', { page: 'domains' }),
      copy(facts, 'Then duplicate the campaign and send it'),
    ],
  ),
  project_disabled: defineCheck<CampaignFacts>((facts) => ({
    ...disabledProject(facts.project, facts.campaign.updatedAt),
    cause: 'campaign_cancelled',
    headline: `The campaign was cancelled. ${disabledProject(facts.project, facts.campaign.updatedAt).headline}`,
  })),
  billing_limit_exceeded: ended(
    'The campaign was cancelled, because it would have exceeded the cap of the month',
    (facts) => [
      next('billing.setLimits', 'Raise the cap for campaigns', { page: 'billing' }),
      copy(facts, 'Then duplicate the campaign and send it'),
    ],
  ),
  daily_limit_exceeded: ended(
    'The campaign was cancelled, because it would have exceeded the daily limit of a new project',
    (facts) => [copy(facts, 'Duplicate the campaign, and send it to a smaller audience or on a later day')],
  ),
  approval_missing: ended(
    'The campaign was cancelled, because a second person had not approved it as it was',
    (facts) => [copy(facts, 'Duplicate the campaign, have it approved, and send it')],
  ),
  restored: ended(
    'The campaign was cancelled, because the installation was restored from a backup: it may have been sent since that was made',
    (facts) => [copy(facts, 'If your mail server did not send it, duplicate the campaign and send it')],
  ),
  start_failed: ended('The campaign was cancelled, because it could not be started', (facts) => [
    copy(facts, 'Duplicate the campaign and send it'),
  ]),
  audience_failed: ended(
    'The campaign was cancelled, because its audience could not be written down',
    (facts) => [
      copy(facts, 'Look at the condition of the audience; then duplicate the campaign and send it'),
    ],
  ),
  completion_failed: ended('The campaign cannot be completed at present', () => [
    nothing('It is tried again every minute'),
  ]),
} satisfies Record<CampaignStatusReason, Check<CampaignFacts>>;

const isStatusReason = (reason: string): reason is CampaignStatusReason =>
  Object.hasOwn(statusReasonChecks, reason);

function cancelled(facts: CampaignFacts): Finding {
  const { campaign, audit } = facts;
  const { statusReason } = campaign;
  if (statusReason !== null && isStatusReason(statusReason)) return statusReasonChecks[statusReason](facts);
  const act = audit.findLast(({ operation }) => operation === 'campaigns.cancel');
  return {
    cause: 'campaign_cancelled',
    headline: act
      ? `The campaign was cancelled by ${act.actor.label} before its audience was written down`
      : 'The campaign was cancelled before its audience was written down',
    links: [
      link(
        'campaign',
        act ? 'stopped' : 'unknown',
        act ? 'The campaign was cancelled' : 'The campaign was cancelled; by whom is not recorded',
        {
          at: act?.at ?? null,
          actor: act?.actor ?? null,
          ref: refOf(campaign),
        },
      ),
    ],
    next: [copy(facts, 'Duplicate the campaign and send it')],
  };
}

function notStarted({ campaign }: CampaignFacts): Finding {
  const isDraft = campaign.status === 'DRAFT';
  return {
    cause: 'not_started',
    headline: isDraft
      ? 'The campaign was not sent yet'
      : `The campaign starts at ${campaign.scheduledFor ? onDay(campaign.scheduledFor) : 'its time'}`,
    links: [
      link('campaign', 'waiting', isDraft ? 'The campaign is a draft' : 'The campaign is scheduled', {
        facts: { status: campaign.status, scheduledFor: campaign.scheduledFor },
        ref: refOf(campaign),
      }),
    ],
    next: [
      next('campaigns.send', isDraft ? 'Send or schedule the campaign' : 'Send it now, or at another time', {
        input: { id: campaign.id },
        page: pageOf(campaign),
      }),
    ],
  };
}

/** Whether the contact is in a part of the audience that was written down. */
function isPastFreeze(
  { frozenAt, frozenTo }: CampaignFact,
  contact: { id: string; createdAt: Date } | null,
): boolean {
  if (frozenAt === null) return false;
  if (frozenTo === null || contact === null) return true;
  const order = contact.createdAt.getTime() - frozenTo.createdAt.getTime();
  return order < 0 || (order === 0 && contact.id <= frozenTo.id);
}

/** Why a contact has no email of a campaign (behaviour B15.8). */
export function explainNotCreated(facts: CampaignFacts): Explained<'NOT_CREATED'> {
  const finding = findingOf(facts);
  return {
    ...finding,
    verdict: 'NOT_CREATED',
    links: [...facts.audit.map(linkOfAudit), ...startOf(facts.campaign), ...finding.links],
  };
}

const startOf = (campaign: CampaignFact): Link[] =>
  campaign.sentAt
    ? [
        link('campaign', 'passed', `Sending of the campaign “${campaign.name}” started`, {
          at: campaign.sentAt,
          ref: refOf(campaign),
        }),
      ]
    : [];

function findingOf(facts: CampaignFacts): Finding {
  const { campaign, person } = facts;
  const { contact } = person;
  if (campaign.status === 'DRAFT' || campaign.status === 'SCHEDULED') return notStarted(facts);
  if (!isPastFreeze(campaign, contact)) {
    if (campaign.status === 'CANCELLED') return cancelled(facts);
    // It is behind the part that was written down, and will be left out of what follows.
    if (isLater(campaign, contact)) return createdAfter(facts, contact);
    return {
      cause: 'freezing',
      headline: 'The audience of the campaign is being written down',
      links: [
        link('freeze', 'waiting', 'The contact is in a part of the audience that was not written down yet', {
          facts: { frozenTo: campaign.frozenTo?.createdAt ?? null },
        }),
      ],
      next: [nothing('Look again in a few minutes')],
    };
  }
  if (!contact) {
    return {
      cause: 'not_in_audience',
      headline: 'No contact has this address, so no audience has it',
      links: [
        link('contact', 'stopped', 'No contact of the project has this address', {
          facts: { address: person.address },
        }),
      ],
      next: [next('contacts.upsert', 'Create the contact before the next campaign', { page: 'contacts' })],
    };
  }
  if (isLater(campaign, contact)) return createdAfter(facts, contact);
  if (facts.isExpired) return removedSince(facts);
  return notSubscribedThen(facts) ?? topicOffThen(facts) ?? notInAudience(facts) ?? notKnown(facts);
}

type Contact = NonNullable<PersonFacts['contact']>;

const isLater = ({ sentAt }: CampaignFact, contact: Contact | null): contact is Contact =>
  sentAt !== null && contact !== null && contact.createdAt > sentAt;

const createdAfter = (facts: CampaignFacts, { id, createdAt }: Contact): Finding => ({
  cause: 'created_after_freeze',
  headline: 'The contact was created after the campaign had started',
  links: [
    link('audience', 'stopped', 'The contact was created after the campaign had started', {
      at: createdAt,
      facts: { createdAt, startedAt: facts.campaign.sentAt },
      ref: { type: 'contact', id },
    }),
  ],
  next: sequel(facts, 'Duplicate the campaign for those who came later'),
});

const removedSince = ({ campaign }: CampaignFacts): Finding => ({
  cause: 'unknown',
  headline: 'Emails of the campaign were removed for their age; whether the contact had one is not known',
  links: [
    link(
      'retention',
      'unknown',
      'Emails of the campaign are no longer stored. Its figures still count them',
      {
        facts: { frozenAt: campaign.frozenAt },
        ref: refOf(campaign),
      },
    ),
  ],
  next: [nothing('Emails are kept for as many days as the installation says')],
});

/** By the last act before the audience was written down, or by what the contact has been all the time. */
function notSubscribedThen(facts: CampaignFacts): Finding | null {
  const { campaign, person } = facts;
  const { contact } = person;
  const { sentAt, frozenAt } = campaign;
  if (campaign.type === 'TRANSACTIONAL' || !contact || !sentAt || !frozenAt) return null;
  const act = person.acts.find(({ at }) => at <= frozenAt);
  const changedAt = contact.subscriptionChangedAt ?? contact.optedOutAt;
  const isUnchanged = (changedAt === null || changedAt <= sentAt) && !contact.subscribed;
  const wasEnded = act !== undefined && !act.subscribed;
  if (!wasEnded && !(isUnchanged && act === undefined)) return null;
  return {
    cause: 'not_subscribed_then',
    headline: act
      ? 'The contact was not subscribed when the audience was written down'
      : 'The contact was not subscribed, then and now',
    links: [
      act
        ? linkOfAct(act, person, 'stopped')
        : link('subscription', 'stopped', 'The contact was not subscribed', {
            at: changedAt ?? contact.createdAt,
            facts: { subscribed: false, changedAt },
          }),
      ...(contact.subscribed
        ? [
            link('subscription', 'information', 'The contact is subscribed now', {
              at: contact.subscriptionChangedAt,
              facts: { subscribed: true },
            }),
          ]
        : []),
    ],
    next: contact.subscribed
      ? sequel(facts, 'Duplicate the campaign for those who subscribed since')
      : [nothing('The contact is not subscribed, and nobody but the person can change that')],
  };
}

/** By what the contact has chosen now: the campaign is of a topic that it does not receive. */
function topicOffThen({ campaign, person: { contact } }: CampaignFacts): Finding | null {
  const { topic, frozenAt } = campaign;
  const found = topic && contact && frozenAt ? notReceiving(topic, contact, frozenAt) : null;
  return found && { cause: 'topic', headline: found.headline, links: [found.link], next: [found.next] };
}

/** What differs now from when the audience was written down is not known to have been so then. */
function changedSince({ campaign, person, segment, membership }: CampaignFacts): Date | null {
  const frozenAt = campaign.frozenAt?.getTime() ?? 0;
  const times = [person.contact?.updatedAt, segment?.updatedAt, membership?.enteredAt, membership?.exitedAt];
  return times.find((at) => at && at.getTime() > frozenAt) ?? null;
}

function notInAudience(facts: CampaignFacts): Finding | null {
  const { campaign, matches, filters, segment, membership } = facts;
  if (matches !== false) return null;
  const changedAt = changedSince(facts);
  const first = filters && firstMismatch(filters);
  const isUnknown = changedAt !== null;
  const text = first
    ? `The contact does not match the audience: ${inWords(first)}`
    : segment
      ? membership?.exitedAt
        ? `The contact left the segment “${segment.name}”`
        : `The contact is not a member of the segment “${segment.name}”`
      : 'The segment of the campaign was deleted, so nobody matches now';
  return {
    cause: 'not_in_audience',
    headline: isUnknown
      ? `${text} now; it, or the segment, changed after the audience was written down`
      : text,
    links: [
      ...(filters ? linksOfFilters(filters) : []),
      link(
        'audience',
        isUnknown ? 'unknown' : 'stopped',
        isUnknown ? `${text} now. What it was then is not stored` : text,
        {
          facts: {
            audienceType: campaign.audienceType,
            frozenAt: campaign.frozenAt,
            ...(changedAt ? { changedAt } : {}),
            ...(first ? { filter: first } : {}),
          },
          ref: segment ? { type: 'segment', id: segment.id } : refOf(campaign),
        },
      ),
    ],
    next: sequel(facts, 'Duplicate the campaign with an audience that has the contact'),
  };
}

/** It would be in the audience now, and nothing says why it was not then. */
const notKnown = (facts: CampaignFacts): Finding => ({
  cause: 'unknown',
  headline: 'The contact would be in the audience now; why it was not then is not recorded',
  links: [
    ...(facts.filters ? linksOfFilters(facts.filters) : []),
    link(
      'audience',
      'unknown',
      'The contact matches the audience now. What was different when it was written down is not stored',
      {
        facts: {
          frozenAt: facts.campaign.frozenAt,
          contactChangedAt: facts.person.contact?.updatedAt ?? null,
          subscriptionChangedAt: facts.person.contact?.subscriptionChangedAt ?? null,
        },
      },
    ),
  ],
  next: sequel(facts, 'Duplicate the campaign for those who did not get it'),
});
