import { setTimeout } from 'node:timers/promises';
import { assertConfirmsCommits } from '@postrider/core/base/db';
import { z } from 'zod';
import { isStopping } from '../stopping.ts';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

const check = z.enum(['ok', 'failed']);
const readiness = z.object({
  status: z
    .enum(['ok', 'degraded', 'unavailable'])
    .describe(
      '`ok` when the database and the workflow engine answer; `degraded` without the engine: everything is accepted, and campaigns, imports and schedules begin when it is there; `unavailable` without the database, and while the process stops.',
    ),
  checks: z
    .object({
      database: check.describe('Whether PostgreSQL answers, and confirms commits.'),
      temporal: z
        .enum(['ok', 'starting', 'failed'])
        .describe('Whether the workflow engine answers; `starting` until it has answered this process once.'),
      disk: z.enum(['ok', 'low']).describe('Whether images can be stored; `low` is no failure.'),
    })
    .describe('Each dependency.'),
});

/** A host that drops packets causes no error for minutes; a probe needs an answer sooner. */
const deadline = () =>
  setTimeout(3_000, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer within 3 s')));

export function mountHealth(door: RestDoor): void {
  const { database, engine, files, log } = door.services;
  const answers = async (): Promise<boolean> => {
    try {
      await Promise.race([assertConfirmsCommits(database.durable), deadline()]);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer, or confirms no commits');
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
    summary: 'Whether the process can serve requests: the database answers.',
    output: readiness,
    statuses: [200, 503],
    async handler(_request, reply) {
      const [databaseAnswers, { state }, isDiskLow] = await Promise.all([
        answers(),
        engine.now(),
        files.isLow(),
      ]);
      const ready = databaseAnswers && !isStopping();
      reply.code(ready ? 200 : 503);
      return {
        status: !ready ? 'unavailable' : state === 'ok' ? 'ok' : 'degraded',
        checks: {
          database: databaseAnswers ? 'ok' : 'failed',
          temporal: state === 'away' ? 'failed' : state,
          disk: isDiskLow ? 'low' : 'ok',
        },
      } satisfies z.output<typeof readiness>;
    },
  });
}
