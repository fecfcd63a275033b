/** A process that answers messages, and stands still when it is told to. */
import { open } from 'node:inspector';
import { watchEventLoop } from './watch-event-loop.ts';

watchEventLoop({ level: 'info', name: 'fixture' }, { tickMs: 50, silentTicks: 10 });

process.on('message', (message) => {
  if (message === 'stand still') for (;;);
  if (message === 'open the inspector') open(0, '127.0.0.1');
  process.send?.(message);
});
process.send?.('ready');
