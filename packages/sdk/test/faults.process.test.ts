import { join } from 'node:path';
import { go, runIn } from '@postrider/local/generator-tools';
import { versions } from '@postrider/local/generator-versions';
import { pythonTool } from '@postrider/local/python-tool';
import { ROOT } from '@postrider/local/root';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, type Outcome } from './faults/cases.ts';
import { type FaultServer, startFaultServer } from './faults/fault-server.ts';

/** All SDKs go through the same faults of one server: what is sent once is there once, and the program learns what happened. */
const programs: Record<string, (url: string, name: string) => Promise<string>> = {
  typescript: (url, name) =>
    runIn(ROOT, process.execPath, [join(import.meta.dirname, 'faults/runner.ts'), url, name]),
  python,
  'python-async': python,
  go: async (url, name) =>
    runIn(join(ROOT, 'packages/sdk-go'), await go(), ['run', './internal/faults', url, name]),
};

async function python(url: string, name: string): Promise<string> {
  const folder = join(ROOT, 'packages/sdk-python');
  const tool = await pythonTool('httpx', versions.httpx);
  return runIn(folder, tool.python, [join(folder, 'test/faults.py'), url, name], {
    PYTHONPATH: join(folder, 'src'),
  });
}

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

describe.each(Object.entries(programs))('%s', (program, run) => {
  let outcomes: Outcome[][];
  beforeAll(async () => {
    outcomes = JSON.parse(await run(server.url, program)) as Outcome[][];
  }, 600_000);

  it.each(cases.map((each, number) => [each.name, each, number] as const))('%s', (name, script, number) => {
    const actual = outcomes[number] ?? [];
    // Which of several calls at once is the first is up to the machine.
    if (script.atOnce) actual.sort((a, b) => Number(a.repeated) - Number(b.repeated));
    expect(actual).toMatchObject(script.outcomes);
    const came = server.runOf(program, name);
    expect(came?.stored.length).toBe(script.stored ?? 1);
    // The program knows what it has sent, however it went.
    expect(new Set(actual.flatMap(({ ids = [] }) => ids))).toEqual(new Set(came?.stored));
    expect(came).toMatchObject({ early: 0, withoutKey: 0 });
  });
});
