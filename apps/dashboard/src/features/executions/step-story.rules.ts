import type { StepExecution, WorkflowStep } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import type { Tone } from '../../ui/chip.tsx';
import { reasonInWords } from '../emails/email-status.tsx';
import { conditionOperatorNames, needsValue } from '../workflows/condition-words.ts';
import { branchesOf } from '../workflows/outlets.rules.ts';

type Json = Readonly<Record<string, unknown>>;
type Taken = Pick<StepExecution, 'status' | 'output' | 'error' | 'scheduledFor' | 'step'>;
type Settings = Pick<WorkflowStep, 'config'> | undefined;

export interface Story {
  /** ends with a preposition when a time follows */
  text: string;
  tone: Tone;
  /** when it goes on; to be read after the text */
  until: string | null;
  /** the email it created */
  emailId: string | null;
}

const tones: Readonly<Record<StepExecution['status'], Tone>> = {
  PENDING: 'busy',
  SCHEDULED: 'warn',
  WAITING: 'warn',
  RUNNING: 'busy',
  COMPLETED: 'good',
  SKIPPED: 'calm',
  FAILED: 'bad',
};

/** @param settings the step as it is set now; absent when it was deleted */
export function storyOf(taken: Taken, settings: Settings): Story {
  const output = taken.output ?? {};
  const isGood = output['success'] !== false && !output['skipped'];
  return {
    text: textOf(taken, output, settings?.config ?? {}),
    tone: taken.status === 'COMPLETED' && !isGood ? 'warn' : tones[taken.status],
    until: isUnderWay(taken) ? taken.scheduledFor : null,
    emailId: typeof output['emailId'] === 'string' ? output['emailId'] : null,
  };
}

const isUnderWay = ({ status }: Taken): boolean =>
  status === 'PENDING' || status === 'SCHEDULED' || status === 'WAITING' || status === 'RUNNING';

function textOf(taken: Taken, output: Json, config: Json): string {
  if (taken.status === 'FAILED') return taken.error ?? 'Failed';
  if (taken.status === 'SKIPPED') return 'Cancelled with the execution';
  if (isUnderWay(taken)) return underWay(taken, output, config);
  switch (taken.step?.type) {
    case 'TRIGGER':
      return output['eventName'] ? `Triggered by ${quote(output['eventName'])}` : 'Started';
    case 'SEND_EMAIL':
      return output['skipped']
        ? `Skipped the email to ${output['recipientEmail']}: ${reasonInWords(String(output['skipped']))}`
        : `Queued an email to ${output['recipientEmail']}`;
    case 'DELAY':
      return `Waited ${amountOf(output['delayAmount'], output['delayUnit'])}`;
    case 'WAIT_FOR_EVENT':
      return output['waitOutcome'] === 'EVENT'
        ? `Received ${quote(output['eventName'])}`
        : `Timed out waiting for ${quote(output['eventName'])}`;
    case 'CONDITION':
      return conditionText(output, config);
    case 'WEBHOOK':
      return webhookText(output);
    case 'UPDATE_CONTACT':
      return updateText(output);
    case 'EXIT':
      return output['exitReason'] === 'exit_step' ? 'Exited' : `Exited: ${output['exitReason']}`;
    default:
      return 'Done';
  }
}

function underWay(taken: Taken, output: Json, config: Json): string {
  switch (taken.step?.type) {
    case 'DELAY':
      return `Waiting ${amountOf(config['amount'], config['unit'])}${taken.scheduledFor ? ', until' : ''}`;
    case 'WAIT_FOR_EVENT':
      return taken.scheduledFor === null
        ? `Waiting for ${quote(config['eventName'])}, with no time limit`
        : `Waiting for ${quote(config['eventName'])} until`;
    case 'WEBHOOK':
      return taken.scheduledFor !== null && typeof output['attempts'] === 'number'
        ? `Attempt ${output['attempts']} got ${output['statusCode'] ?? 'no response'}; next attempt at`
        : 'Sending the request';
    default:
      return 'Running';
  }
}

function conditionText(output: Json, config: Json): string {
  const branch = branchesOf(config).find(({ id }) => id === output['branch'])?.name ?? output['branch'];
  const found = `was ${shown(output['actualValue'])}, so branch ${quote(branch)} was taken`;
  if (typeof output['operator'] !== 'string') return `${output['field']} ${found}`;
  const operator = conditionOperatorNames[output['operator'] as keyof typeof conditionOperatorNames];
  const expected = needsValue(output['operator']) ? ` ${shown(output['expectedValue'])}` : '';
  return `Checked whether ${output['field']} ${operator}${expected}: it ${found}`;
}

function webhookText({ method, url, statusCode, attempts, success }: Json): string {
  const after = typeof attempts === 'number' && attempts > 1 ? ` after ${attempts} attempts` : '';
  return `${method} ${url} returned ${statusCode}${after}${success === false ? ', which is not a success' : ''}`;
}

function updateText({ updatedKeys, subscriptionChanged }: Json): string {
  const keys = Array.isArray(updatedKeys) && updatedKeys.length > 0 ? updatedKeys.join(', ') : null;
  const parts = [
    keys && `Updated ${keys}`,
    subscriptionChanged === true && `${keys ? 'c' : 'C'}hanged the subscription`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? 'Nothing to change' : parts.join(' and ');
}

const quote = (value: unknown): string => `“${value}”`;

const shown = (value: unknown): string =>
  value === null || value === undefined ? 'not set' : JSON.stringify(value);

const amountOf = (amount: unknown, unit: unknown): string =>
  plural(Number(amount), String(unit).replace(/s$/, ''));
