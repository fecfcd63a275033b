import type { QueryClient } from '@tanstack/react-query';
import type { ApiClient } from './api.ts';
import { isFinal } from './failure.ts';
import { type ChangedQueries, changedQueries, isChanged } from './live.rules.ts';

/** A page that is hidden for this long closes its connection, because a browser opens only six to a server. */
const hiddenMs = 30_000;
/** Until the next attempt when the server refuses the connection, for example while it is replaced. */
const retryMs = 5_000;

/**
 * Reads again what is shown of a project when it changes, for as long as it is not stopped. Each connection begins with all topics, so that
 * no change is missed between two of them.
 *
 * @returns stops it
 */
export function followChanges(client: ApiClient, queryClient: QueryClient, projectId: string): () => void {
  const reading = readAgainAtMost(queryClient, projectId);
  let connection: { unsubscribe(): void } | null = null;
  let retry = 0;
  let hiding = 0;

  const disconnect = (): void => {
    window.clearTimeout(retry);
    connection?.unsubscribe();
    connection = null;
  };

  const end = (error?: unknown): void => {
    disconnect();
    if (error === undefined || !isFinal(error)) retry = window.setTimeout(connect, retryMs);
  };

  const connect = (): void => {
    connection = client.live.changes.subscribe(undefined, {
      onData: (topics) => changedQueries(topics).forEach(reading.schedule),
      onError: end,
      onComplete: end,
    });
  };

  const onVisibility = (): void => {
    window.clearTimeout(hiding);
    if (document.visibilityState === 'visible') {
      if (connection === null) connect();
      return;
    }
    hiding = window.setTimeout(disconnect, hiddenMs);
  };

  document.addEventListener('visibilitychange', onVisibility);
  connect();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    window.clearTimeout(hiding);
    reading.stop();
    disconnect();
  };
}

/** Changes that follow one another quickly are merged, each path by its own interval. */
function readAgainAtMost(queryClient: QueryClient, projectId: string) {
  const timers = new Map<string, number>();
  const lastRead = new Map<string, number>();
  const read = (path: string): void => {
    timers.delete(path);
    lastRead.set(path, performance.now());
    void queryClient.invalidateQueries(
      { predicate: (query) => isChanged(query, projectId, path) },
      { cancelRefetch: false },
    );
  };
  return {
    schedule({ path, everyMs }: ChangedQueries): void {
      if (timers.has(path)) return;
      const wait = Math.max(
        0,
        (lastRead.get(path) ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now(),
      );
      timers.set(
        path,
        window.setTimeout(() => read(path), wait),
      );
    },
    stop(): void {
      for (const timer of timers.values()) window.clearTimeout(timer);
    },
  };
}
