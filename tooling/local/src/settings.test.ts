import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

let folder: string;
const file = () => join(folder, '.env');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-env-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('settings', () => {
  it('all have defaults', async () => {
    const { ports, dataDir } = await readSettings({}, file());
    expect(ports).toEqual({
      api: 3000,
      mailbox: 8025,
      mailboxSmtp: 1025,
      temporal: 7233,
      temporalUi: undefined,
      postgres: undefined,
      bounces: 2526,
      submission: 2587,
    });
    expect(dataDir).toMatch(/\/\.postrider$/);
  });

  it('are read from .env, and the environment takes precedence', async () => {
    await writeFile(file(), 'PORT=4000\nMAILBOX_PORT=4001\nLOG_LEVEL="debug"\n');
    const { ports, env } = await readSettings({ PORT: '5000' }, file());
    expect([ports.api, ports.mailbox, env.LOG_LEVEL]).toEqual([5000, 4001, 'debug']);
  });

  it('name every malformed variable at once', async () => {
    const given = {
      PORT: 'abc',
      TEMPORAL_PORT: '70000',
      DATABASE_URL: 'mysql://x',
      SMTP_URL: 'localhost:25',
    };
    const failure = await readSettings(given, file()).catch((error: Error) => error.message);
    for (const name of Object.keys(given)) expect(failure).toContain(`${name} must be`);
  });

  it('require external servers in production', async () => {
    const failure = await readSettings({ NODE_ENV: 'production' }, file()).catch(
      (error: Error) => error.message,
    );
    for (const name of ['APP_SECRET', 'DATABASE_URL', 'TEMPORAL_ADDRESS', 'SMTP_URL'])
      expect(failure).toContain(name);
  });

  it('of the demo account have a form, and production refuses them', async () => {
    const demo = {
      DEMO_SECRET_KEY: 'sk_1',
      DEMO_PUBLIC_KEY: 'pk_1',
      DEMO_EMAIL: 'demo',
      DEMO_PASSWORD: 'short',
    };
    const messageOf = (given: NodeJS.ProcessEnv) =>
      readSettings(given, file()).then(
        () => '',
        (error: Error) => error.message,
      );
    for (const name of Object.keys(demo)) expect(await messageOf(demo)).toContain(`${name} must be`);
    const good = {
      DEMO_SECRET_KEY: `sk_${'0'.repeat(64)}`,
      DEMO_PUBLIC_KEY: `pk_${'1'.repeat(64)}`,
      DEMO_EMAIL: 'dev@shop.example',
      DEMO_PASSWORD: 'correct horse',
    };
    expect(await messageOf(good)).toBe('');
    const inProduction = await messageOf({ ...good, NODE_ENV: 'production', WEBHOOK_ALLOW_LOOPBACK: 'true' });
    for (const name of [...Object.keys(good), 'WEBHOOK_ALLOW_LOOPBACK'])
      expect(inProduction).toContain(`${name} is for development`);
    expect(await messageOf({ NODE_ENV: 'production', WEBHOOK_ALLOW_LOOPBACK: 'false' })).not.toContain(
      'LOOPBACK',
    );
  });
});
