import { feedWords } from '@postrider/core/base/event-types/contract';
import { reasonInWords } from '@postrider/core/mail/eligibility/contract';
import { picturedText } from '../../../ui/mail-picture.rules.ts';
import { eventPath } from '../events/event-path.ts';
import { subscriptionInWords } from './subscription-words.rules.ts';

/** Why the service paused a campaign. By a request goes without saying. */
const pauseReasonInWords: Readonly<Record<string, string>> = {
  guard_bounces: 'too many bounces',
  guard_complaints: 'too many complaints',
  guard_unsubscribes: 'too many opt-outs',
};

export const typeInWords = (type: string): string => feedWords[type] ?? type;

export interface Item {
  type: string;
  metadata: Record<string, unknown>;
}

/** What an item is about: the name of an event or record, or the subject of an email; with the reason where there is one. */
export function subjectOf({ type, metadata }: Item): string {
  const text = (key: string): string | undefined => {
    const value = metadata[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  // Of an email that is not rendered yet, the feed has the subject as it was written.
  const about = type.startsWith('email.')
    ? picturedText(text('subject') ?? '') || undefined
    : (text('eventName') ?? text('campaignName') ?? text('workflowName') ?? text('topic'));
  const why =
    text('error') ??
    reasonOf(type, text('reason')) ??
    winnerOf(type, text('winner')) ??
    endOf(text('exitReason')) ??
    text('stepName');
  return [about, why].filter((part) => part !== undefined).join(' · ');
}

/** Reasons are codes; workflows have some that are texts of their steps. */
function reasonOf(type: string, reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  if (type === 'email.skipped') return reasonInWords(reason);
  if (type === 'campaign.paused') return pauseReasonInWords[reason];
  return type.startsWith('contact.') ? subscriptionInWords(reason) : reason;
}

const winnerOf = (type: string, winner: string | undefined): string | undefined =>
  type === 'campaign.test_decided' && winner !== undefined ? `variant ${winner}` : undefined;

const endOf = (reason: string | undefined): string | undefined =>
  reason === 'exit_step' ? 'at an exit step' : reason;

/** The page of the dashboard about an item, within the project; null where there is none. */
export function pathOf({ metadata }: Item): string | null {
  const { emailId, executionId, workflowId, campaignId, eventName } = metadata;
  if (typeof emailId === 'string') return `emails/${emailId}`;
  if (typeof executionId === 'string' && typeof workflowId === 'string')
    return `workflows/${workflowId}/executions/${executionId}`;
  if (typeof workflowId === 'string') return `workflows/${workflowId}`;
  if (typeof campaignId === 'string') return `campaigns/${campaignId}`;
  return typeof eventName === 'string' ? eventPath(eventName) : null;
}
