import type { StepType, Workflow, WorkflowStep } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { conditionOperatorNames } from './condition-words.ts';
import { durationWords } from './duration.rules.ts';

interface StepKind {
  name: string;
  icon: IconName;
  /** what it does, shown when adding a step */
  does: string;
}

export const stepKinds: Readonly<Record<StepType, StepKind>> = {
  TRIGGER: { name: 'Trigger', icon: 'event', does: 'Starts the workflow' },
  SEND_EMAIL: { name: 'Send email', icon: 'mail', does: 'Sends a template' },
  DELAY: { name: 'Delay', icon: 'clock', does: 'Waits for a set time' },
  WAIT_FOR_EVENT: { name: 'Wait for event', icon: 'ear', does: 'Waits until an event occurs' },
  CONDITION: { name: 'Condition', icon: 'fork', does: 'Splits into branches' },
  WEBHOOK: { name: 'Webhook', icon: 'webhook', does: 'Sends a request to another service' },
  UPDATE_CONTACT: {
    name: 'Update contact',
    icon: 'person',
    does: 'Changes contact fields or the subscription',
  },
  EXIT: { name: 'Exit', icon: 'stop', does: 'Ends the workflow' },
};

type Trigger = Pick<Workflow, 'triggerType' | 'triggerConfig'>;
type Config = Readonly<Record<string, unknown>>;

/** The trigger of a workflow in a few words. */
export function triggerWords({ triggerType, triggerConfig }: Trigger): string {
  const { eventName, cron, timezone } = triggerConfig;
  if (triggerType === 'MANUAL') return 'Started manually';
  if (triggerType === 'SCHEDULE') return cron === undefined ? 'No schedule yet' : `${cron} (${timezone})`;
  return eventName === undefined ? 'No event yet' : `${eventName}`;
}

/** The settings of a step in one line. */
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
        ? `${config.eventName}; timeout after ${durationWords(config.timeout)}`
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
    return `${field}: ${plural(branches.length + 1, 'branch', 'branches')}`;
  const words = conditionOperatorNames[operator as keyof typeof conditionOperatorNames];
  const compared = value === undefined ? '' : ` ${JSON.stringify(value)}`;
  return `${field} ${words}${compared}`;
}

function updateSummary({ data, subscriptionAction }: Config): string {
  const written = Object.entries((data ?? {}) as Record<string, unknown>).map(([key, value]) =>
    value === null ? `remove ${key}` : `${key} = ${value}`,
  );
  const action =
    subscriptionAction === undefined || subscriptionAction === 'none' ? [] : [`${subscriptionAction}`];
  return [...written, ...action].join(', ');
}
