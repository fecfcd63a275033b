import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

const check = z.enum(['ok', 'failed']);
const readiness = z.object({
  status: z.enum(['ok', 'unavailable']).describe('`ok` when the database and the workflow engine answer.'),
  checks: z
    .object({
      database: check.describe('Whether PostgreSQL answers.'),
      temporal: check.describe('Whether the workflow engine answers.'),
      disk: z.enum(['ok', 'low']).describe('Whether images can be stored; `low` is no failure.'),
    })
    .describe('Each dependency.'),
});

/** A host that drops packets causes no error for minutes; a probe needs an answer sooner. */
const deadline = () =>
  setTimeout(3_000, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer within 3 s')));

export function mountHealth(door: RestDoor): void {
  const { database, workflows, files, log } = door.services;
  const answers = async (): Promise<boolean> => {
    try {
      await Promise.race([database.durable.query('SELECT 1'), deadline()]);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer');
      return false;
    }
  };
  rawRoute(door, 'GET', '/health/live', {
    name: 'health.live',
    summary: 'Whether the process runs.',
    output: z.object({ status: z.literal('ok').describe('Always `ok`.') }),
    handler: () => ({ status: 'ok' }),
  });
  rawRoute(door, 'GET', '/health/ready', {
    name: 'health.ready',
    summary: 'Whether the process can serve requests: the database and the workflow engine answer.',
    output: readiness,
    statuses: [200, 503],
    async handler(_request, reply) {
      const [databaseAnswers, workflowsAnswer, isDiskLow] = await Promise.all([
        answers(),
        workflows.healthy(),
        files.isLow(),
      ]);
      const ready = databaseAnswers && workflowsAnswer;
      const word = (good: boolean): 'ok' | 'failed' => (good ? 'ok' : 'failed');
      reply.code(ready ? 200 : 503);
      return {
        status: ready ? 'ok' : 'unavailable',
        checks: {
          database: word(databaseAnswers),
          temporal: word(workflowsAnswer),
          disk: isDiskLow ? 'low' : 'ok',
        },
      } satisfies z.output<typeof readiness>;
    },
  });
}
