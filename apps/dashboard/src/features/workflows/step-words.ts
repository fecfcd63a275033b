import type { StepType, Workflow, WorkflowStep } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { conditionOperatorNames } from './condition-words.ts';
import { durationWords } from './duration.rules.ts';

interface StepKind {
  name: string;
  icon: IconName;
  /** what it does with a person, for the choice of a new step */
  does: string;
}

export const stepKinds: Readonly<Record<StepType, StepKind>> = {
  TRIGGER: { name: 'Trigger', icon: 'event', does: 'Lets people in' },
  SEND_EMAIL: { name: 'Send an email', icon: 'mail', does: 'Sends a template' },
  DELAY: { name: 'Delay', icon: 'clock', does: 'Waits for some time' },
  WAIT_FOR_EVENT: { name: 'Wait for an event', icon: 'ear', does: 'Waits until they do something' },
  CONDITION: { name: 'Condition', icon: 'fork', does: 'Goes one way or another' },
  WEBHOOK: { name: 'Webhook', icon: 'webhook', does: 'Calls another service' },
  UPDATE_CONTACT: { name: 'Update the contact', icon: 'person', does: 'Writes data or the subscription' },
  EXIT: { name: 'Exit', icon: 'stop', does: 'Ends it here' },
};

type Trigger = Pick<Workflow, 'triggerType' | 'triggerConfig'>;
type Config = Readonly<Record<string, unknown>>;

/** What starts a workflow, in a few words. */
export function triggerWords({ triggerType, triggerConfig }: Trigger): string {
  const { eventName, cron, timezone } = triggerConfig;
  if (triggerType === 'MANUAL') return 'by hand';
  if (triggerType === 'SCHEDULE')
    return cron === undefined ? 'at times not yet set' : `${cron} (${timezone})`;
  return eventName === undefined ? 'by an event not yet named' : `${eventName}`;
}

/** What a step is set to do, in one line. */
export function stepSummary(step: WorkflowStep, trigger: Trigger): string {
  const { type, config } = step;
  switch (type) {
    case 'TRIGGER':
      return triggerWords(trigger);
    case 'SEND_EMAIL':
      return [step.template?.name ?? 'No template', customAddress(config)].filter(Boolean).join(' to ');
    case 'DELAY':
      return plural(Number(config.amount), String(config.unit).replace(/s$/, ''));
    case 'WAIT_FOR_EVENT':
      return typeof config.timeout === 'number'
        ? `${config.eventName}, at most ${durationWords(config.timeout)}`
        : `${config.eventName}`;
    case 'CONDITION':
      return conditionSummary(config);
    case 'WEBHOOK':
      return `${config.method ?? 'POST'} ${config.url}`;
    case 'UPDATE_CONTACT':
      return updateSummary(config);
    case 'EXIT':
      return typeof config.reason === 'string' && config.reason !== '' ? config.reason : 'No reason given';
  }
}

function customAddress({ recipient }: Config): string {
  const { type, customEmail } = (recipient ?? {}) as { type?: string; customEmail?: string };
  return type === 'CUSTOM' ? (customEmail ?? '') : '';
}

function conditionSummary({ field, operator, value, mode, branches }: Config): string {
  if (mode === 'multi' && Array.isArray(branches))
    return `${field}: ${plural(branches.length + 1, 'way', 'ways')}`;
  const words = conditionOperatorNames[operator as keyof typeof conditionOperatorNames];
  const compared = value === undefined ? '' : ` ${JSON.stringify(value)}`;
  return `${field} ${words}${compared}`;
}

function updateSummary({ data, subscriptionAction }: Config): string {
  const written = Object.entries((data ?? {}) as Record<string, unknown>).map(([key, value]) =>
    value === null ? `no ${key}` : `${key} = ${value}`,
  );
  const action =
    subscriptionAction === undefined || subscriptionAction === 'none' ? [] : [`${subscriptionAction}`];
  return [...written, ...action].join(', ');
}
