import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from '@postrider/local/chromium';
import { anotherDemo, type DemoAccess } from '@postrider/local/demo';
import { startStack } from '@postrider/local/stack';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

export interface DashboardStack {
  browser: Browser;
  /** the address of the dashboard */
  dashboard: string;
  /** the address of the API */
  api: string;
  demo: DemoAccess;
  stop(): Promise<void>;
}

/** The product with its demo data, the dashboard as it is shipped, and a browser. */
export async function startDashboardStack(log: (line: string) => void): Promise<DashboardStack> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
  await chmod(folder, 0o755);
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    log('building the dashboard, starting the product and Chromium');
    const stack = await startStack({
      dataDir: join(folder, 'data'),
      throwAway: true,
      env: { SEND_RATE_PER_SECOND: '10000' },
    });
    stops.push(stack.stop);
    const demo = await anotherDemo(stack.env, 'bench');
    const browser = await chromium.launch({
      executablePath: await ensureChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    stops.push(() => browser.close());
    return { browser, dashboard: stack.urls.dashboard, api: stack.urls.api, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const screen: BrowserContextOptions = { viewport: { width: 1_440, height: 900 } };
