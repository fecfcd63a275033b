import type { ServerResponse } from 'node:http';
import { AppError, currentSpan } from '@postrider/core/base/kernel';
import { Counter, Gauge, register } from 'prom-client';

type Door = 'graphql' | 'trpc';
/** `right`: the caller may no longer read it; `client`: the connection was closed; `complete`: nothing follows, or its time is over */
type EndReason = 'right' | 'client' | 'complete' | 'failure';

const openStreams = (register.getSingleMetric('postrider_streams') ??
  new Gauge({
    name: 'postrider_streams',
    help: 'Live streams that are open',
    labelNames: ['door'],
  })) as Gauge<'door'>;

const endedStreams = (register.getSingleMetric('postrider_streams_ended_total') ??
  new Counter({
    name: 'postrider_streams_ended_total',
    help: 'Live streams that have ended',
    labelNames: ['reason'],
  })) as Counter<'reason'>;

/** GraphQL wraps the errors of a source. */
function reasonOf(error: unknown): EndReason {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error;
  return cause instanceof AppError && cause.kind !== 'internal' ? 'right' : 'failure';
}

interface Observed {
  door: Door;
  /** the answer that carries the events */
  answer: Pick<ServerResponse, 'closed' | 'once'>;
  /** makes the door's error of a failure */
  word?: (error: unknown) => unknown;
}

/**
 * Counts a stream of a door for as long as it is open, and ends it with the connection: also where that was closed before the answer
 * began, which neither the door's library nor Fastify tells the source.
 */
export function observeStream<Value>(
  events: AsyncIterator<Value>,
  { door, answer, word = (error) => error }: Observed,
): AsyncIterableIterator<Value> {
  openStreams.inc({ door });
  currentSpan()?.patient();
  let isOpen = true;
  const end = (reason: EndReason): void => {
    if (!isOpen) return;
    isOpen = false;
    openStreams.dec({ door });
    endedStreams.inc({ reason });
  };
  const leave = async (): Promise<IteratorResult<Value>> => {
    end('client');
    return (await events.return?.()) ?? { done: true, value: undefined };
  };
  if (answer.closed) void leave();
  else answer.once('close', () => void leave());
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        const result = await events.next();
        if (result.done) end('complete');
        return result;
      } catch (error) {
        end(reasonOf(error));
        throw word(error);
      }
    },
    return: leave,
  };
}
