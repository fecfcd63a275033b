import {
  type StepConfigInputs,
  type StepConfigs,
  webhookMethods,
} from '@postrider/core/automation/workflows/contract';
import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { oneOf, UnreadableField } from './step-input.rules.ts';
import type { StepView } from './step-view.ts';
import { WebhookFields } from './webhook-fields.tsx';

export const webhookView: StepView<StepConfigs['WEBHOOK'], StepConfigInputs['WEBHOOK']> = {
  icon: 'webhook',
  does: 'Sends a request to another service',
  summary: ({ method = 'POST', url }) => `${method} ${url}`,
  Fields: WebhookFields,
  read,
  completed({ method, url, statusCode, attempts, success }) {
    const after = typeof attempts === 'number' && attempts > 1 ? ` after ${attempts} attempts` : '';
    return `${method} ${url} returned ${statusCode}${after}${success === false ? ', which is not a success' : ''}`;
  },
  underWay: ({ scheduledFor, output: { attempts, statusCode } }) =>
    scheduledFor !== null && typeof attempts === 'number'
      ? `Attempt ${attempts} got ${statusCode ?? 'no response'}; next attempt at`
      : 'Sending the request',
};

function read(values: FormValues): StepConfigInputs['WEBHOOK'] {
  const method = oneOf(webhookMethods, values['config.method']);
  const headers = headersOf(values['config.headers'] ?? '');
  const body = given(values['config.body']);
  return {
    url: values['config.url'] ?? '',
    method,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(method !== 'GET' && body !== undefined && { body: jsonOf(body, 'config.body') }),
  };
}

function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new UnreadableField(
          'config.headers',
          `“${line.trim()}” is not a header. Write a name, a colon and a value`,
        );
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function jsonOf(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableField(
      field,
      error instanceof Error ? `Invalid JSON: ${error.message}` : 'Invalid JSON',
    );
  }
}
