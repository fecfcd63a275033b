import type { SkipReason } from '../../../mail/eligibility/skip-reasons.rules.ts';
import { sandboxLimitError } from '../../../people/projects/sandbox.rules.ts';
import { type Check, defineCheck, type Finding, link, type Next, next, nothing } from './check.rules.ts';
import { endedBy } from './ends.rules.ts';
import type { EmailFacts } from './facts.rules.ts';
import { changeLimits, exempt } from './limits.rules.ts';
import {
  correctAddress,
  disabledProject,
  isSuppressedSimulator,
  notSubscribed,
  suppressedBy,
} from './person.rules.ts';
import { skippedTopic } from './topic.rules.ts';

/** A check of each reason to skip an email (behaviour B3.3). */
export const skipChecks = {
  unsubscribed: defineCheck<EmailFacts>(({ email, person }) =>
    person ? notSubscribed(person, email.updatedAt) : erased(email.updatedAt),
  ),
  topic: skippedTopic,
  suppressed: defineCheck<EmailFacts>(({ email, person, project }) => {
    const found = person && suppressedBy(person, project.now);
    if (found) return found;
    const isSimulator = isSuppressedSimulator(email.to);
    return {
      cause: 'suppressed',
      headline: isSimulator
        ? 'The address of the simulator for email to a suppressed address'
        : 'The address was on the suppression list',
      links: [
        link(
          'suppression',
          isSimulator ? 'stopped' : 'unknown',
          isSimulator
            ? 'Email to this address of the simulator is skipped like that to a suppressed one'
            : 'The address was on the suppression list then and is not now; why is no longer stored',
          { at: email.updatedAt, facts: { suppressedNow: false } },
        ),
      ],
      next: [
        isSimulator
          ? nothing('Use another address of the simulator')
          : nothing('The address is off the list, so a later email goes to it'),
      ],
    };
  }),
  invalid: defineCheck<EmailFacts>(({ email, person }) => ({
    cause: 'invalid',
    headline: 'The address is not a valid one',
    links: [
      link('address', 'stopped', 'No mail server takes an address of this form', {
        at: email.updatedAt,
        facts: { address: email.to },
      }),
    ],
    next: [person?.contact ? correctAddress(person.contact.id) : nothing('Use the right address')],
  })),
  cancelled: defineCheck<EmailFacts>(cancelled),
  project_disabled: defineCheck<EmailFacts>(({ project, email }) =>
    disabledProject(project, email.updatedAt),
  ),
  duplicate: defineCheck<EmailFacts>(({ email }) => ({
    cause: 'duplicate',
    headline: 'Another email of the campaign goes to the same address',
    links: [
      link('duplicate', 'stopped', 'The campaign has another email to this address', {
        at: email.updatedAt,
        ref: refOf('campaign', email.campaignId),
      }),
    ],
    next: [nothing('The address gets the campaign once')],
  })),
  sandbox: defineCheck<EmailFacts>(({ email }) => {
    const isLimit = email.error === sandboxLimitError;
    return {
      cause: 'sandbox',
      headline: isLimit
        ? 'The limit of the day for email from the sandbox sender was reached'
        : 'The sandbox sender reaches only members of the project',
      links: [
        link(
          'sandbox',
          'stopped',
          isLimit ? sandboxLimitError : 'The address is not one of the project’s own people',
          {
            at: email.updatedAt,
            facts: { from: email.from, to: email.to },
          },
        ),
      ],
      next: [
        next('domains.create', 'Verify a domain, and send from it to anybody', { page: 'domains' }),
        ...(isLimit
          ? [nothing('Confirm your own address')]
          : [next('members.invite', 'Or invite the person into the project', { page: 'members' })]),
      ],
    };
  }),
  capped: defineCheck<EmailFacts>(({ email }) => ({
    cause: 'capped',
    headline:
      'The contact got as many emails as the limits of the project allow, until it had waited for too long',
    links: [
      link(
        'cap',
        'stopped',
        'No slot within the caps of the contact became free for it in the time that the limits let it wait',
        {
          at: email.updatedAt,
          ref: email.contactId === null ? null : { type: 'contact', id: email.contactId },
        },
      ),
    ],
    next: [changeLimits('Raise the cap, or let email wait for longer'), exempt(email)],
  })),
  held_out: defineCheck<EmailFacts>(({ email }) => ({
    cause: 'held_out',
    headline: 'The holdout of the campaign leaves the contact out, to be compared with the others',
    links: [
      link('draw', 'stopped', 'The contact was drawn when the audience was written down', {
        at: email.createdAt,
        ref: refOf('campaign', email.campaignId),
      }),
    ],
    next: [nothing('The draw is the same again for the contact in this campaign')],
  })),
  exited: defineCheck<EmailFacts>(({ email, step }) =>
    step?.end
      ? endedBy(step.end, step)
      : {
          cause: 'exited',
          headline: 'The execution of the workflow ended before the email was sent',
          links: [
            link('execution', 'unknown', 'What ended the execution is no longer stored', {
              at: email.updatedAt,
            }),
          ],
          next: [nothing('There is nothing more in this workflow')],
        },
  ),
} satisfies Record<SkipReason, Check<EmailFacts>>;

const refOf = (type: 'campaign', id: string | null) => (id === null ? null : { type, id });

const erased = (at: Date): Finding => ({
  cause: 'unsubscribed',
  headline: 'The recipient was not subscribed then',
  links: [
    link('subscription', 'unknown', 'The contact was deleted since, with what is known of its subscription', {
      at,
    }),
  ],
  next: [nothing('The contact was deleted')],
});

const again: Next = next(
  'campaigns.duplicate',
  'Duplicate the campaign to send it to those who did not get it',
);

/** Who or what cancelled an email: a request for it, its campaign, the deletion of its contact, or a reset. */
function cancelled(facts: EmailFacts): Finding {
  const { email, campaign, audit, project } = facts;
  const byRequest = audit.findLast(
    ({ operation, targetId }) =>
      operation === 'sending.cancel' && (targetId === email.id || targetId === email.sharedMessageId),
  );
  if (byRequest) {
    const what = byRequest.targetId === email.id ? 'The email' : 'The message that several recipients get';
    return {
      cause: 'cancelled',
      headline: `${what} was cancelled by ${byRequest.actor.label}`,
      links: [
        link('cancel', 'stopped', `${what} was cancelled`, { at: byRequest.at, actor: byRequest.actor }),
      ],
      next: [next('sending.send', 'Send it again, if it is wanted after all')],
    };
  }
  if (email.contactId === null && email.sourceType !== 'TEST') {
    return {
      cause: 'cancelled',
      headline: 'The contact was deleted before the email was sent',
      links: [
        link('contact', 'stopped', 'The contact was deleted, and its waiting email with it', {
          at: email.updatedAt,
        }),
      ],
      next: [nothing('The contact was deleted')],
    };
  }
  if (campaign?.status === 'CANCELLED') {
    const act = audit.findLast(
      (each) => each.operation === 'campaigns.cancel' && each.targetId === campaign.id,
    );
    return {
      cause: 'cancelled',
      headline: act ? `The campaign was cancelled by ${act.actor.label}` : 'The campaign was cancelled',
      links: [
        link(
          'campaign',
          act ? 'stopped' : 'unknown',
          act ? 'The campaign was cancelled' : 'The campaign was cancelled; by whom is not recorded',
          {
            at: act?.at ?? email.updatedAt,
            actor: act?.actor ?? null,
            facts: { statusReason: campaign.statusReason },
            ref: { type: 'campaign', id: campaign.id },
          },
        ),
      ],
      next: [{ ...again, input: { id: campaign.id }, page: `campaigns/${campaign.id}` }],
    };
  }
  const reset = project.resets.find(({ before }) => before >= email.createdAt);
  if (reset) {
    return {
      cause: 'cancelled',
      headline: 'The data of the project was reset before the email was sent',
      links: [
        link('reset', 'stopped', 'The project was reset, and its waiting email was cancelled', {
          at: reset.at,
        }),
      ],
      next: [nothing('Send it again, if it is wanted')],
    };
  }
  const isCampaignGone = email.sourceType === 'CAMPAIGN' && campaign === null;
  return {
    cause: 'cancelled',
    headline: isCampaignGone
      ? 'The campaign was deleted before the email was sent'
      : 'The email was cancelled',
    links: [
      link(
        'cancel',
        isCampaignGone ? 'stopped' : 'unknown',
        isCampaignGone
          ? 'The campaign of the email was deleted'
          : 'The email was cancelled; by what is not recorded',
        { at: email.updatedAt },
      ),
    ],
    next: [nothing('Send it again, if it is wanted')],
  };
}
