import { machine, mailProxies, personalDevices } from '../../mail/tracking/contract.ts';
import type { KeyedSums } from './figures.store.ts';

type Sums = Pick<KeyedSums, 'key' | 'opens' | 'clicks'>;

const byActivity = (a: Sums, b: Sums): number =>
  b.opens + b.clicks - (a.opens + a.clicks) || (a.key < b.key ? -1 : 1);

const kindOf = (client: string): 'person' | 'proxy' | 'machine' => {
  if (client === machine) return 'machine';
  return mailProxies.some(({ name }) => name === client) ? 'proxy' : 'person';
};

/** The rows of a reply: proxies and machines by name, and the devices of people. */
export const clientRowsOf = (clients: readonly Sums[], devices: readonly Sums[]) => ({
  clients: clients
    .toSorted(byActivity)
    .map(({ key, opens, clicks }) => ({ client: key, kind: kindOf(key), opens, clicks })),
  devices: devices.toSorted(byActivity).flatMap(({ key, opens, clicks }) => {
    const device = personalDevices.find((kind) => kind === key);
    return device ? [{ device, opens, clicks }] : [];
  }),
});
