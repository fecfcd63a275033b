import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from '@postrider/local/chromium';
import { freePort } from '@postrider/local/ports';
import { type Stack, startStack } from '@postrider/local/stack';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

/** What every test file shares: the whole product on free ports, and a browser. */
export interface SharedApp {
  urls: Stack['urls'];
  /** The environment of the api and the worker. */
  env: Stack['env'];
  /** The api and the worker ask the name server at this port of loopback; the test file that runs provides it. */
  dnsPort: number;
  /** Where Playwright connects to the browser. */
  browser: string;
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];

/**
 * Starts one stack and one browser for all test files of the run.
 *
 * @public called by Vitest
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-e2e-'));
  await chmod(folder, 0o755);
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const teardown = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const dnsPort = await freePort();
    const stack = await startStack({
      dataDir: join(folder, 'data'),
      throwAway: true,
      env: {
        // High enough that a campaign to all demo contacts takes seconds.
        SEND_RATE_PER_SECOND: '10000',
        DNS_SERVERS: `127.0.0.1:${dnsPort}`,
      },
    });
    stops.push(() => assertNoSecretsIn(join(folder, 'data', 'logs')));
    stops.push(stack.stop);
    const browser = await chromium.launchServer({ executablePath: await ensureChromium(), args: flags });
    stops.push(() => browser.close());
    project.provide('app', { urls: stack.urls, env: stack.env, dnsPort, browser: browser.wsEndpoint() });
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
}

/** API keys, webhook secrets, session cookies, private keys and the passwords that the tests type. */
const secrets =
  /\b[ps]k_[0-9a-f]{64}|whsec_\w{20}|postrider_session=\w|PRIVATE KEY|correct horse|"password":/;

/** After all browser tests, the logs of every process hold none of the secrets that went through them. */
async function assertNoSecretsIn(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const found = secrets.exec(await readFile(join(folder, name), 'utf8'));
    if (found) throw new Error(`${name} contains a secret: ${found[0].slice(0, 12)}…`);
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    app: SharedApp;
  }
}
