import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './root.ts';

/** A completed command of the repository. */
export interface Ended {
  code: number;
  /** Its output, if captured. */
  output: string;
}

/** Runs a command in the root of the repository; its output is shown immediately or captured. */
export async function runCommand(command: string, args: string[], { captured = false } = {}): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', captured ? 'pipe' : 'inherit', captured ? 'pipe' : 'inherit'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  const stop = (name: NodeJS.Signals) => child.kill(name);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
  return { code: typeof code === 'number' ? code : 1, output };
}
