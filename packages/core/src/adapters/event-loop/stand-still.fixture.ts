/** A process that answers messages, and stands still when it is told to. Argument: the number of looks without a heartbeat after which it ends. */
import { open } from 'node:inspector';
import { register } from 'prom-client';
import { watchEventLoop } from './watch-event-loop.ts';

watchEventLoop(
  { level: 'info', name: 'fixture' },
  { tickMs: 50, silentTicks: Number(process.argv[2] ?? 10) },
);

process.on('message', (message) => {
  if (message === 'stand still') for (;;);
  if (message === 'stand still for a moment') for (const end = Date.now() + 1_000; Date.now() < end; );
  if (message === 'count stalls') {
    void register
      .getSingleMetric('postrider_event_loop_stalls_total')
      ?.get()
      .then(({ values }) => process.send?.(values[0]?.value));
    return;
  }
  if (message === 'open the inspector') open(0, '127.0.0.1');
  process.send?.(message);
});
process.send?.('ready');
