import { feedWords } from '@postrider/core/base/event-types/contract';
import { eventPath } from '../events/event-path.ts';

export const typeInWords = (type: string): string => feedWords[type] ?? type;

interface Item {
  type: string;
  metadata: Record<string, unknown>;
}

/** What an item is about: the name of an event or record, or the subject of an email; with the reason where there is one. */
export function subjectOf({ type, metadata }: Item): string {
  const text = (key: string): string | undefined => {
    const value = metadata[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const about = type.startsWith('email.')
    ? text('subject')
    : (text('eventName') ?? text('campaignName') ?? text('workflowName') ?? text('topic'));
  const why = text('error') ?? text('reason') ?? text('exitReason') ?? text('stepName');
  return [about, why].filter((part) => part !== undefined).join(' · ');
}

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
