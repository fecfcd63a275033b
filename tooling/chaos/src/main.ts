import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeCommit, describeVersions } from '@postrider/harness/describe-versions';
import { forceAll } from '@postrider/local/registry';
import { ROOT } from '@postrider/local/root';
import { chaosPage } from './run/chaos-page.ts';
import { planRuns } from './run/plan-runs.ts';
import type { RunRecord } from './run/run-record.ts';
import { runSeries } from './run/run-series.ts';
import { byDefault, scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';

/**
 * `npm run chaos -- [options] <scenario …|all>`: runs real processes, injects faults at random times, and compares
 * the ledger with what the mail server received. Exits with 1 if they disagree.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    size: { type: 'string', default: '1' },
    recipients: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    results: { type: 'string', default: join(ROOT, '.postrider/chaos/runs.ndjson') },
    resume: { type: 'boolean', default: false },
    before: { type: 'string' },
    also: { type: 'string', multiple: true, default: [] },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** The longest run takes about a quarter of an hour; one that hangs must not stop the series. */
const timeoutMs = 30 * 60_000;

process.once('SIGINT', () => {
  forceAll();
  process.exit(130);
});

if (values.help) usage();
else await run();

async function run(): Promise<void> {
  const chosen = chooseScenarios();
  const seeds = readNumber('seeds', values.seeds);
  // A series is repeatable; a single run without a seed looks at another course each time.
  const seed = values.seed ? readNumber('seed', values.seed) : seeds > 1 ? 1 : Date.now() % 1_000_000;
  const planned = planRuns({
    scenarios: chosen,
    seed,
    seeds,
    size: readNumber('size', values.size, { fraction: true }),
    recipients: values.recipients === undefined ? undefined : readNumber('recipients', values.recipients),
  });
  const commit = await describeCommit();
  const { records, missing } = await runSeries(planned, {
    commit,
    file: values.results,
    recorded: values.resume ? [commit, ...values.also] : [],
    minutes: readNumber('minutes', values.minutes, { fraction: true }),
    timeoutMs,
    before: values.before,
  });
  if (values.page) await writePage(commit, records);
  const failed = records.filter(({ problems }) => problems.length > 0);
  for (const { scenario, seed: one } of failed) console.log(`FAILED: ${scenario}, seed ${one}`);
  console.log(`\n${records.length - failed.length} passed, ${failed.length} failed, ${missing} not run`);
  process.exit(failed.length + missing === 0 ? 0 : 1);
}

async function writePage(commit: string, records: readonly RunRecord[]): Promise<void> {
  const file = join(ROOT, 'docs/chaos.md');
  const head = {
    at: new Date().toISOString(),
    commit,
    command: `npm run chaos -- ${process.argv.slice(2).join(' ')}`,
    versions: describeVersions(),
    summaries: new Map(scenarios.map(({ name, summary }) => [name, summary])),
  };
  await writeFile(file, chaosPage(head, records));
  console.log(`\nwrote ${file}`);
}

function chooseScenarios(): readonly Scenario[] {
  if (positionals.length === 0 || positionals.includes('all')) return byDefault;
  return positionals.map((name) => {
    const found = scenarios.find((scenario) => scenario.name === name);
    if (!found)
      throw new Error(
        `There is no scenario "${name}". There are: ${scenarios.map((one) => one.name).join(', ')}`,
      );
    return found;
  });
}

function readNumber(name: string, text: string, { fraction = false } = {}): number {
  const value = Number(text);
  if (!(value > 0) || !(fraction || Number.isInteger(value)))
    throw new Error(
      `--${name} must be a ${fraction ? 'number above 0' : 'whole number from 1 on'}, but is "${text}"`,
    );
  return value;
}

function usage(): void {
  console.log(
    [
      'npm run chaos -- [options] [all | scenario …]',
      '',
      '  --seeds N       runs each scenario with N seeds (1)',
      '  --seed N        the first seed; the others follow it',
      '  --size F        factor for the number of emails of each scenario (1)',
      '  --recipients N  number of emails instead',
      '  --minutes N     starts no further run after N minutes',
      '  --resume        skips the runs that are recorded for this commit',
      '  --also COMMIT   with --resume, skips those that are recorded for that one, too',
      '  --before WHAT   the version before, for rolling: a commit, or the folder of a clone of it',
      '  --results FILE  where runs are recorded',
      '  --page          writes docs/chaos.md',
      '',
    ].join('\n'),
  );
  for (const { name, summary, recipients, mostSeeds } of scenarios)
    console.log(`  ${name.padEnd(16)} ${summary} (${recipients}${mostSeeds === 1 ? ', one seed' : ''})`);
}
