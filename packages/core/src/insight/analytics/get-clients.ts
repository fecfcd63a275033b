import { projectIdOf, query } from '../../base/kernel/index.ts';
import { clientFigures, clientsInput } from './breakdown.schema.ts';
import { quartersOf } from './buckets.rules.ts';
import { clientRowsOf } from './client-rows.ts';
import { sumFigures } from './figures.store.ts';
import { periodOf } from './period.rules.ts';

export const getClients = query({
  name: 'analytics.clients',
  summary: 'Counts the opens and clicks of a period by mail client and device',
  permission: 'data:read',
  input: clientsInput,
  output: clientFigures,
  async handler(ctx, { from, to }) {
    const projectId = projectIdOf(ctx);
    const period = quartersOf(periodOf({ from, to }, new Date()));
    const [clients, devices] = await Promise.all([
      sumFigures(ctx.db, { projectId, dimension: 'client' }, period),
      sumFigures(ctx.db, { projectId, dimension: 'device' }, period),
    ]);
    return clientRowsOf(clients, devices);
  },
});
