import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { forceAll } from '@postrider/local/registry';
import type { Bench, BenchOptions } from './harness/bench.ts';
import { describeMachine, readMachine } from './harness/machine.ts';
import { formatTable, judge } from './harness/table.ts';
import { benches } from './registry.ts';

/**
 * `npm run bench -- [options] [bench …]`: measures the product and references in the same run, so that ratios can be
 * compared across machines.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    recipients: { type: 'string', default: '20000' },
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string' },
    executions: { type: 'string', default: '3000' },
    contacts: { type: 'string' },
    emails: { type: 'string' },
    baseline: { type: 'string' },
    profile: { type: 'string' },
    heap: { type: 'boolean', default: false },
    phases: { type: 'string' },
    page: { type: 'boolean', default: false },
    predict: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const usualSeconds = 8;

process.once('SIGINT', () => {
  forceAll();
  process.exit(130);
});

if (values.help) usage();
else await runAll();

async function runAll(): Promise<void> {
  const machine = readMachine();
  console.log(describeMachine(machine));
  const results = [];
  for (const bench of chosen()) results.push(await runOne(bench));
  const failures = results.flatMap((result) => result.failures);
  for (const failure of failures) console.error(`FAILED: ${failure}`);
  if (values.json !== undefined) {
    await writeFile(
      values.json,
      `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2)}\n`,
    );
  }
  process.exit(failures.length > 0 ? 1 : 0);
}

function chosen(): readonly Bench[] {
  if (positionals.length === 0) return benches;
  return positionals.map((name) => {
    const found = benches.find((bench) => bench.name === name);
    if (!found)
      throw new Error(`There is no bench "${name}". There are: ${benches.map((one) => one.name).join(', ')}`);
    return found;
  });
}

async function runOne(bench: Bench) {
  const begun = performance.now();
  console.log(`\n── ${bench.name}: ${bench.summary}`);
  const options: BenchOptions = {
    rounds: readNumber('rounds', values.rounds),
    recipients: readNumber('recipients', values.recipients),
    rows: readNumber('rows', values.rows),
    seconds:
      values.seconds === undefined ? (bench.seconds ?? usualSeconds) : readNumber('seconds', values.seconds),
    executions: readNumber('executions', values.executions),
    log: (line) => console.log(`[${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s] ${line}`),
    ...(values.contacts === undefined ? {} : { contacts: readNumber('contacts', values.contacts) }),
    ...(values.emails === undefined ? {} : { emails: readNumber('emails', values.emails) }),
    ...(values.baseline === undefined ? {} : { baseline: values.baseline }),
    ...(values.profile === undefined ? {} : { profile: values.profile }),
    ...(values.heap ? { heap: true } : {}),
    ...(values.phases === undefined ? {} : { phases: values.phases.split(',') }),
    ...(values.page ? { page: true } : {}),
    ...(values.predict ? { predict: true } : {}),
  };
  const { series, notes, failures = [] } = await bench.run(options);
  const judged = judge(series);
  console.log('');
  for (const line of [...formatTable(judged), '', ...notes]) console.log(line);
  return { bench: bench.name, series: judged, notes, failures };
}

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, but is "${text}"`);
  return value;
}

function usage(): void {
  console.log(
    'npm run bench -- [--rounds 3] [--recipients 20000] [--rows 1000000] [--seconds 8] [--executions 3000] [--contacts 20000] [--emails 5000000] [--baseline clone] [--json file] [--profile folder|small] [--heap] [--phases idle,campaign] [--page] [--predict] [bench …]\n',
  );
  for (const { name, summary } of benches) console.log(`  ${name.padEnd(10)} ${summary}`);
}
