import type { EmailStatus } from '../../../base/db/index.ts';
import { isSkipReason } from '../../../mail/eligibility/skip-reasons.rules.ts';
import { defineCheck, type Finding, type Link, link, nothing, onDay } from './check.rules.ts';
import type { AuditFact, EmailFacts } from './facts.rules.ts';
import { classChecks, failure } from './failed.rules.ts';
import { skipChecks } from './skipped.rules.ts';
import { heldByChecks } from './waiting.rules.ts';

export type EmailVerdict = 'DELIVERED' | 'SENT' | 'WAITING' | 'SKIPPED' | 'FAILED' | 'BOUNCED' | 'UNCERTAIN';

/** What was found of a question. Without a cause there is nothing to explain. */
export interface Explained<Verdict> {
  verdict: Verdict;
  headline: string;
  cause: Finding['cause'] | null;
  links: Link[];
  next: Finding['next'];
}

interface StatusCheck {
  verdict: EmailVerdict;
  /** why it is there; null where nothing is to be explained */
  finding(facts: EmailFacts): Finding | null;
  /** in words, where nothing is to be explained */
  headline(facts: EmailFacts): string;
}

const arrived = (headline: StatusCheck['headline']): StatusCheck => ({
  verdict: 'DELIVERED',
  finding: () => null,
  headline,
});

const complained = defineCheck<EmailFacts>(({ email, interactions }) => {
  const report = interactions.find(({ type }) => type === 'complaint');
  return {
    cause: 'complained',
    headline: 'It arrived, and its recipient marked it as spam',
    links: [
      link('complaint', 'information', 'The recipient marked it as spam', {
        at: email.complainedAt,
        facts: { text: report?.detail ?? null },
        actor: { type: 'recipient', id: email.contactId, label: email.to },
      }),
    ],
    next: [nothing('The recipient wants no more of it, and gets none')],
  };
});

const uncertain = defineCheck<EmailFacts>((facts) => {
  const { email } = facts;
  const resends = email.nextAttemptAt !== null;
  const ofCampaign = email.campaignId !== null;
  return {
    cause: 'uncertain',
    headline: resends
      ? 'It may have been delivered: it was handed over, and no answer was recorded. It is sent once more'
      : 'It may have been delivered: it was handed over, and no answer was recorded',
    links: [
      link('hand-over', 'unknown', 'The message was transferred, and the answer of the server was lost', {
        at: email.uncertainAt ?? email.updatedAt,
        facts: { error: email.error, resendAt: email.nextAttemptAt, resent: email.autoResent },
      }),
    ],
    next: [
      resends
        ? nothing(
            `Wait for the second attempt at ${email.nextAttemptAt ? onDay(email.nextAttemptAt) : 'its time'}`,
          )
        : ofCampaign
          ? {
              action: 'campaigns.retry',
              text: 'Send it again, if a second copy is better than none',
              input: { id: email.campaignId },
              page: `campaigns/${email.campaignId}`,
            }
          : nothing(
              'An open or a report may still prove it. Send it again only if a second copy does no harm',
            ),
    ],
  };
});

/** What each status says. */
const statusChecks: Record<EmailStatus, StatusCheck> = {
  PENDING: {
    verdict: 'WAITING',
    finding: (facts) => (facts.heldBy === null ? null : heldByChecks[facts.heldBy](facts)),
    headline: () => 'It is about to be sent',
  },
  SENDING: { verdict: 'WAITING', finding: () => null, headline: () => 'It is being sent' },
  SENT: {
    verdict: 'SENT',
    finding: () => null,
    headline: () => 'The mail server accepted it; more is not known of it',
  },
  DELIVERED: arrived(() => 'It was delivered'),
  OPENED: arrived(() => 'It was delivered, and opened'),
  CLICKED: arrived(() => 'It was delivered, and a link in it was clicked'),
  BOUNCED: {
    verdict: 'BOUNCED',
    finding: (facts) => classChecks[facts.email.diagnosis?.class ?? 'other'](facts),
    headline: () => 'It came back',
  },
  COMPLAINED: { verdict: 'DELIVERED', finding: complained, headline: () => 'It was marked as spam' },
  FAILED: { verdict: 'FAILED', finding: failure, headline: () => 'It failed' },
  SKIPPED: { verdict: 'SKIPPED', finding: skipped, headline: () => 'It was not sent' },
  UNCERTAIN: { verdict: 'UNCERTAIN', finding: uncertain, headline: () => 'It may have been delivered' },
};

function skipped(facts: EmailFacts): Finding {
  const { reason, updatedAt } = facts.email;
  if (reason !== null && isSkipReason(reason)) return skipChecks[reason](facts);
  return {
    cause: 'unknown',
    headline: 'It was not sent',
    links: [
      link('skip', 'unknown', 'Why it was not sent is not recorded', { at: updatedAt, facts: { reason } }),
    ],
    next: [nothing('Send it again, if it is wanted')],
  };
}

/** Why an email is where it is (behaviour B15.8). */
export function explainEmail(facts: EmailFacts): Explained<EmailVerdict> {
  const { status } = facts.email;
  const check = statusChecks[status === 'SCHEDULED' ? 'PENDING' : status];
  const finding = check.finding(facts);
  return {
    verdict: check.verdict,
    headline: finding?.headline ?? check.headline(facts),
    cause: finding?.cause ?? null,
    links: [...historyOf(facts), ...(finding?.links ?? [])],
    next: finding?.next ?? [],
  };
}

/** What happened to an email until now. */
function historyOf(facts: EmailFacts): Link[] {
  const { email } = facts;
  const links = [acceptedBy(facts)];
  if (email.scheduledAt && email.status !== 'SCHEDULED')
    links.push(link('schedule', 'passed', 'The time that was given for it', { at: email.scheduledAt }));
  const moments = [
    ['sent', email.sentAt, 'The mail server accepted it'],
    ['delivered', email.deliveredAt, 'It was delivered'],
    ['opened', email.openedAt, 'It was opened'],
    ['clicked', email.clickedAt, 'A link in it was clicked'],
  ] as const;
  for (const [check, at, text] of moments) if (at) links.push(link(check, 'passed', text, { at }));
  for (const { type, at, detail } of facts.interactions) {
    const text = wordsOf[type];
    if (text) links.push(link(type, 'information', detail ? `${text}: ${detail}` : text, { at }));
  }
  for (const entry of facts.audit) links.push(linkOfAudit(entry));
  return links;
}

/** Interactions that say something about delivery; opens and clicks are moments of the email. */
const wordsOf: Readonly<Record<string, string>> = {
  deferral: 'An attempt was refused for now',
  bounce: 'A report said that it was not delivered',
  delay: 'The receiving server delays it',
  auto_reply: 'An automatic reply came',
  unknown: 'Another message about it came',
};

function acceptedBy({ email, campaign, step }: EmailFacts): Link {
  const at = email.createdAt;
  const facts = { type: email.type, source: email.sourceType };
  switch (email.sourceType) {
    case 'CAMPAIGN':
      return link(
        'accepted',
        'passed',
        `The audience of the campaign ${campaign ? `“${campaign.name}”` : 'which was deleted since'} was written down with this contact`,
        {
          at,
          facts,
          ref: campaign && { type: 'campaign', id: campaign.id },
        },
      );
    case 'WORKFLOW':
      return link(
        'accepted',
        'passed',
        step
          ? `The step “${step.stepName}” of the workflow “${step.workflowName}” wrote it`
          : 'A workflow that was deleted since wrote it',
        {
          at,
          facts,
          ref: step && { type: 'execution', id: step.executionId },
        },
      );
    case 'TEST':
      return link('accepted', 'passed', 'A member sent it as a test', { at, facts });
    case 'TRANSACTIONAL':
    case 'SYSTEM':
      return link('accepted', 'passed', 'A request to send it was accepted', { at, facts });
  }
}

/** What people did, in the words of the audit log. */
const auditWords: Readonly<Record<string, string>> = {
  'sending.cancel': 'The email was cancelled',
  'sending.reschedule': 'The email was moved to another time',
  'campaigns.create': 'The campaign was created',
  'campaigns.update': 'The campaign was changed',
  'campaigns.send': 'The campaign was sent, or scheduled',
  'campaigns.requestApproval': 'The approval of the campaign was asked for',
  'campaigns.unschedule': 'The campaign was unscheduled',
  'campaigns.pause': 'The campaign was paused',
  'campaigns.pauseByGuard': 'The guard of the campaign paused it',
  'campaigns.resume': 'The campaign was resumed',
  'campaigns.cancel': 'The campaign was cancelled',
  'campaigns.retry': 'The campaign was retried',
  'workflows.create': 'The workflow was created',
  'workflows.update': 'The workflow was changed',
  'workflows.startExecution': 'The execution was started by hand',
  'workflows.cancelExecution': 'The execution was cancelled',
  'workflows.cancelAllExecutions': 'All executions of the workflow were cancelled',
  'contacts.upsert': 'The contact was written',
  'contacts.update': 'The contact was changed',
  'segments.update': 'The segment was changed',
  'segments.addMembers': 'Members were added to the segment',
  'segments.removeMembers': 'Members were removed from the segment',
};

export const linkOfAudit = ({ operation, changed, at, actor }: AuditFact): Link =>
  link('audit', 'information', auditWords[operation] ?? operation, {
    at,
    actor,
    facts: { operation, ...(changed.length > 0 ? { changed } : {}) },
  });
