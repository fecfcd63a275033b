import { streamWal } from '../backup/stream-wal.ts';
import type { Command } from '../command.ts';

export const stream: Command = {
  summary:
    'Receives the WAL of the server into the folder wal in this folder, until it is ended with SIGINT or SIGTERM. With a base in the same folder, every time since can be restored. With --sync, commits can wait for it. Needs pg_receivewal, of PG_BIN or the path.',
  argument: 'folder',
  flags: ['sync'],
  async run({ services, err }, { argument: folder, flags }) {
    const stop = new AbortController();
    const end = (): void => stop.abort();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
    try {
      await streamWal(services, folder, {
        isSynchronous: flags.has('sync'),
        signal: stop.signal,
        tell: err,
      });
      return true;
    } finally {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
    }
  },
};
