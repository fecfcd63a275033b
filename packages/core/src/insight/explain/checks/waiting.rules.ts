import type { HeldBy } from '../../../mail/sending/schedule.schema.ts';
import { type Check, defineCheck, link, next, nothing, onDay, type Ref } from './check.rules.ts';
import type { EmailFacts } from './facts.rules.ts';
import { changeLimits, exempt } from './limits.rules.ts';

/** A check of each thing that an email waits for (behaviour B15.1). */
export const heldByChecks = {
  schedule: defineCheck<EmailFacts>(({ email }) =>
    email.campaignId !== null && !email.scheduledAt ? ofLocalTime(email) : ofOwnTime(email),
  ),
  retry: defineCheck<EmailFacts>(({ email, interactions }) => {
    const last = interactions.find(({ type }) => type === 'deferral');
    const text = email.diagnosis?.text ?? last?.detail ?? email.error;
    return {
      cause: 'retry',
      headline: email.nextAttemptAt
        ? `It is tried again at ${onDay(email.nextAttemptAt)}, after ${attempts(email.attempts)}`
        : 'It is tried again',
      links: [
        link(
          'retry',
          'waiting',
          `The next attempt is due later; the last one was refused for now: ${text ?? 'why is not recorded'}`,
          {
            facts: {
              attempts: email.attempts,
              nextAttemptAt: email.nextAttemptAt,
              class: email.diagnosis?.class ?? null,
              code: email.diagnosis?.code ?? null,
              text,
            },
          },
        ),
      ],
      next: [nothing('It is tried again by itself, for 72 hours after the first refusal')],
    };
  }),
  route: defineCheck<EmailFacts>(({ email, route, sender, domain }) => {
    const pause = route ?? sender;
    const isSender = !route && sender !== null;
    return {
      cause: 'route',
      headline: isSender
        ? 'The mail server takes no email from this sender domain at present'
        : 'The mail server takes no email at present',
      links: [
        link(
          'route',
          pause ? 'waiting' : 'unknown',
          pause
            ? `${isSender ? 'Email of this domain waits' : 'All email waits'} for the mail server: ${pause.reason}`
            : 'Email waits for the mail server; why is not recorded',
          {
            at: pause?.since ?? null,
            facts: { error: pause?.reason ?? email.error },
            ref: isSender && domain ? { type: 'domain', id: domain.id } : null,
          },
        ),
      ],
      next: [
        isSender && domain
          ? next('domains.health', 'Look at the health of the domain', {
              input: { id: domain.id },
              page: `domains/${domain.id}`,
            })
          : nothing(
              'It is sent as soon as the server takes email again. Who runs this installation looks at SMTP_URL and at that server',
            ),
      ],
    };
  }),
  queue: defineCheck<EmailFacts>(({ estimatedSendAt }) => ({
    cause: 'queue',
    headline: estimatedSendAt
      ? `Other email of the project is sent before it; about ${onDay(estimatedSendAt)} it is its turn`
      : 'Other email of the project is sent before it',
    links: [
      link(
        'queue',
        'waiting',
        'It is due, and other email of the project comes first within its sending rate',
        {
          facts: { estimatedSendAt },
        },
      ),
    ],
    next: [nothing('It is sent by itself. A higher sending rate of the project shortens the wait')],
  })),
  cap: defineCheck<EmailFacts>(({ email, estimatedSendAt }) => ({
    cause: 'cap',
    headline: estimatedSendAt
      ? `The contact got as many emails as the limits of the project allow; its turn is expected at ${onDay(estimatedSendAt)}`
      : 'The contact got as many emails as the limits of the project allow',
    links: [
      link(
        'cap',
        'waiting',
        'Every slot within the caps of the contact is taken, or goes to an email before it: those of workflows and requests come before campaigns, then the older',
        { facts: { estimatedSendAt }, ref: ofContact(email.contactId) },
      ),
    ],
    next: [changeLimits('It is sent by itself. A higher cap lets it go sooner'), exempt(email)],
  })),
  quiet_hours: defineCheck<EmailFacts>(({ email, estimatedSendAt }) => ({
    cause: 'quiet_hours',
    headline: estimatedSendAt
      ? `It is night for the contact: the quiet hours of the project end at ${onDay(estimatedSendAt)}`
      : 'It waits for the end of the quiet hours',
    links: [
      link(
        'quiet_hours',
        'waiting',
        'The quiet hours of the project hold in the zone of the contact, else in that of the project',
        { facts: { estimatedSendAt }, ref: ofContact(email.contactId) },
      ),
    ],
    next: [
      changeLimits('It is sent by itself when they end. Other quiet hours let it go sooner'),
      exempt(email),
    ],
  })),
  paused: defineCheck<EmailFacts>(({ email, campaign, audit }) => {
    const act = audit.findLast(
      ({ operation, targetId }) =>
        (operation === 'campaigns.pause' || operation === 'campaigns.pauseByGuard') &&
        targetId === email.campaignId,
    );
    return {
      cause: 'paused',
      headline: campaign?.pausedAt
        ? `Its campaign is paused since ${onDay(campaign.pausedAt)}`
        : 'Its campaign was paused, and is sent on now',
      links: [
        link('campaign', 'waiting', 'Nothing of a paused campaign is sent until it is resumed', {
          at: campaign?.pausedAt ?? null,
          facts: { pauseReason: campaign?.pauseReason ?? null },
          ...(act && { actor: act.actor }),
          ref: email.campaignId === null ? null : { type: 'campaign', id: email.campaignId },
        }),
      ],
      next: [
        campaign?.pausedAt
          ? next('campaigns.resume', 'Resume the campaign', {
              input: { id: email.campaignId },
              page: `campaigns/${email.campaignId}`,
            })
          : nothing('It is sent by itself, within a minute'),
      ],
    };
  }),
  pace: defineCheck<EmailFacts>(({ email }) => ({
    cause: 'pace',
    headline: 'It waits for its turn: its campaign is sent at a pace of its own',
    links: [
      link(
        'pace',
        'waiting',
        'Emails of the campaign begin in the order of its audience, as many an hour as it says',
        {
          ref: email.campaignId === null ? null : { type: 'campaign', id: email.campaignId },
        },
      ),
    ],
    next: [nothing('It is sent by itself', `campaigns/${email.campaignId}`)],
  })),
  restore: defineCheck<EmailFacts>(() => ({
    cause: 'restore',
    headline: 'The installation was restored from a backup, and who runs it has not released this email yet',
    links: [
      link(
        'restore',
        'waiting',
        'After a restore no email leaves before the operator releases it, because the old installation may have sent it, or its contact may have left since',
      ),
    ],
    next: [nothing('Who runs this installation releases it with npm run admin -- restore:release')],
  })),
  test: defineCheck<EmailFacts>(({ email }) => ({
    cause: 'test',
    headline: 'It waits for the winner of the test of its campaign',
    links: [
      link(
        'test',
        'waiting',
        'Variants of the campaign are compared with a sample of its audience; this email is of the rest, which gets the winner',
        { ref: email.campaignId === null ? null : { type: 'campaign', id: email.campaignId } },
      ),
    ],
    next: [
      next('campaigns.decideTest', 'Choose the winner now, or wait until the test decides', {
        input: { id: email.campaignId },
        page: `campaigns/${email.campaignId}`,
      }),
    ],
  })),
} satisfies Record<HeldBy, Check<EmailFacts>>;

function ofOwnTime(email: EmailFacts['email']) {
  return {
    cause: 'schedule' as const,
    headline: email.scheduledAt ? `It is scheduled for ${onDay(email.scheduledAt)}` : 'It is scheduled',
    links: [
      link('schedule', 'waiting', 'The time that was given for it has not come', {
        facts: { scheduledAt: email.scheduledAt },
      }),
    ],
    next: [
      next('sending.reschedule', 'Move it to another time, or send it now', {
        input: { id: email.id },
        page: `emails/${email.id}`,
      }),
      next('sending.cancel', 'Or cancel it', { input: { id: email.id }, page: `emails/${email.id}` }),
    ],
  };
}

/** Of a campaign that is sent at the local time of each contact. */
function ofLocalTime(email: EmailFacts['email']) {
  return {
    cause: 'schedule' as const,
    headline: email.nextAttemptAt
      ? `It is sent at the local time of its campaign, which is ${onDay(email.nextAttemptAt)} for the contact`
      : 'It is sent at the local time of its campaign',
    links: [
      link(
        'schedule',
        'waiting',
        'The time of the campaign has not come in the zone of the contact: that in its field `timezone`, else that of the project',
        {
          facts: { nextAttemptAt: email.nextAttemptAt },
          ref: { type: 'campaign', id: email.campaignId ?? '' },
        },
      ),
    ],
    next: [nothing('It is sent by itself. To stop it, cancel the campaign', `campaigns/${email.campaignId}`)],
  };
}

const ofContact = (id: string | null): Ref | null => (id === null ? null : { type: 'contact', id });

const attempts = (count: number): string => (count === 1 ? 'one attempt' : `${count} attempts`);
