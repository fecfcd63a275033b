import { aptInstall } from './apt.ts';
import { withProgress } from './progress.mjs';
import { findExecutable } from './tool-cache.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser for tests of the dashboard: CHROMIUM_PATH, or the first one on the PATH. */
export async function findChromium(): Promise<string | undefined> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const name of NAMES) {
    const found = await findExecutable(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Like `findChromium`, but installs a missing browser with apt if this user may. Otherwise it throws an error with instructions. */
export async function ensureChromium(): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) return found;
  const apt = process.getuid?.() === 0 ? await findExecutable('apt-get') : undefined;
  if (apt === undefined) {
    throw new Error(
      'The tests of the dashboard need Chromium. Install it (for example `sudo apt-get install chromium`) ' +
        'or set CHROMIUM_PATH=<path>.',
    );
  }
  await withProgress('Installing Chromium with apt (only once) …', () => aptInstall(apt, ['chromium']));
  const installed = await findChromium();
  if (installed === undefined) throw new Error('apt installed Chromium, but it is not on the PATH.');
  return installed;
}
