/** A process that counts what its parent tells it, and answers with its metrics. */
import { Counter, Gauge } from 'prom-client';
import { answerMetrics } from '../process-metrics.ts';

const counter = new Counter({ name: 'counted_total', help: 'What the parent told', labelNames: ['what'] });
const gauge = new Gauge({ name: 'held', help: 'What this process holds' });
gauge.set(1);
answerMetrics();
process.on('message', (message) => {
  if (typeof message !== 'string') return;
  counter.inc({ what: message });
  process.send?.('counted');
});
process.send?.('ready');
