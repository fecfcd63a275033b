import { ConfigError } from '@postrider/core/base/kernel';
import { expect, it } from 'vitest';
import { readWorkerConfig } from './env.ts';

const enough = { DATABASE_URL: 'postgres://localhost/postrider', APP_SECRET: 'x'.repeat(32) };

it('an empty variable of the worker counts as unset', () => {
  const empty = { SMTP_CONNECTIONS: '', DELIVERY_LEASE_SECONDS: '', ROUTE_PROBE_SECONDS: '' };
  expect(readWorkerConfig({ ...enough, ...empty })).toEqual(readWorkerConfig(enough));
});

it('invalid variables of the worker are all named', () => {
  const read = (): unknown =>
    readWorkerConfig({ ...enough, SMTP_CONNECTIONS: '2', ROUTE_PROBE_SECONDS: '5,soon' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/SMTP_CONNECTIONS .*>=3[\s\S]*ROUTE_PROBE_SECONDS must be a comma list of seconds/);
});
