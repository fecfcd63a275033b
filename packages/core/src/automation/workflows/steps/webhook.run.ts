import type { Visit } from '../runtime/member.ts';
import type { SetTools } from '../runtime/set-tools.ts';
import { againMs, type StepAt, type StepResult, type StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';
import { webhookBodyLimit } from './webhook.step.ts';

type Config = StepConfigs['WEBHOOK'];

/** Characters of URL, headers and body together. */
const textLimit = 4 * webhookBodyLimit;

/**
 * The set parks the execution with an open request (requests/), whose result completes the row of the step; the next set goes on from there.
 * Every attempt sends what is filled in here.
 */
export const webhookRun: StepRun<Config> = {
  async runSet(visits, at, tools) {
    return visits.map((visit) => park(visit, at, tools));
  },
};

function park(visit: Visit, at: StepAt<Config>, tools: SetTools): StepResult {
  const { url: given, headers = {}, body = null, method = 'POST' } = at.config;
  const filled = tools.fill(visit, { url: given, values: { headers, body } }, textLimit);
  if (!filled) return { kind: 'left', afterMs: againMs.texts };
  if ('problem' in filled) return { kind: 'failed', error: filled.problem };
  const values = filled.texts.values as { headers: Record<string, string>; body: unknown };
  const own = values.body === null;
  const text = method === 'GET' ? null : JSON.stringify(own ? defaultBody(visit, at) : values.body);
  if (text !== null && Buffer.byteLength(text) > webhookBodyLimit) {
    const which = own ? 'body' : 'filled-in body';
    const error = `The ${which} of the webhook has more than ${webhookBodyLimit / 1_024} KiB`;
    return { kind: 'failed', error };
  }
  const url = (filled.texts.url ?? '').trim();
  tools.request(visit, {
    host: URL.parse(url)?.hostname ?? '',
    request: {
      url,
      method,
      headers: Object.fromEntries(
        Object.entries(values.headers).map(([name, value]) => [name, value.replace(/[\r\n]/g, '')]),
      ),
      body: text,
    },
  });
  return { kind: 'parked', stepStatus: 'RUNNING', status: 'RUNNING', until: null };
}

function defaultBody({ member }: Visit, { workflow }: Pick<StepAt<Config>, 'workflow'>): unknown {
  const { id, email, subscribed, data } = member.contact;
  return {
    contact: { id, email, subscribed, data },
    workflow: { id: workflow.id, name: workflow.name },
    execution: { id: member.id, startedAt: member.startedAt.toISOString() },
    event: member.context,
  };
}
