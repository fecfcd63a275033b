import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import type { TemporalFacts, TemporalRefused } from '../../base/kernel/ports/inspections.ts';
import type { TemporalOptions } from './temporal-client.ts';

const timeoutMs = 8_000;
const dayInSeconds = 86_400;

/** Codes of gRPC. */
const notFound = 5;
const notAllowed = new Set([7, 16]);

/** Asks a Temporal server about the namespace and these schedules. Nothing is changed. */
export async function inspectTemporal(
  { address, namespace, apiKey }: Pick<TemporalOptions, 'address' | 'namespace' | 'apiKey'>,
  schedules: readonly string[],
): Promise<TemporalFacts | TemporalRefused> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({
      address,
      connectTimeout: timeoutMs,
      ...(apiKey && { tls: true, apiKey }),
      // By default it repeats calls.
      interceptors: [],
    });
    const open = connection;
    return await open.withDeadline(Date.now() + timeoutMs, async () => {
      const { config } = await open.workflowService.describeNamespace({ namespace });
      const seconds = config?.workflowExecutionRetentionTtl?.seconds;
      const states = await statesOf(new Client({ connection: open, namespace }), schedules);
      return {
        kind: 'found',
        retentionDays: seconds ? Number(seconds) / dayInSeconds : null,
        missing: states.flatMap(({ id, state }) => (state === 'missing' ? [id] : [])),
        paused: states.flatMap(({ id, state }) => (state === 'paused' ? [id] : [])),
      };
    });
  } catch (error) {
    const { code, details, message } = error as Error & { code?: unknown; details?: string };
    const text = details || message;
    if (code === notFound) return { kind: 'no namespace', error: text };
    return { kind: typeof code === 'number' && notAllowed.has(code) ? 'not allowed' : 'away', error: text };
  } finally {
    await connection?.close();
  }
}

const statesOf = (
  client: Client,
  schedules: readonly string[],
): Promise<{ id: string; state: 'missing' | 'paused' | 'active' }[]> =>
  Promise.all(
    schedules.map(async (id) => {
      try {
        const { state } = await client.schedule.getHandle(id).describe();
        return { id, state: state.paused ? ('paused' as const) : ('active' as const) };
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return { id, state: 'missing' as const };
        throw error;
      }
    }),
  );
