import { parseArgs } from 'node:util';
import { forceAll } from '@postrider/local/registry';
import { byDefault, scenarios } from './scenarios/index.ts';
import { problemsOf, type Scenario } from './scenarios/scenario.ts';

/**
 * `npm run chaos -- [--recipients N] [--seed N] [scenario …]`: runs real processes, kills them at random times, and
 * compares the ledger with what the mail server received. Exits with 1 if they disagree.
 */
const mostProblems = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    recipients: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

process.once('SIGINT', () => {
  forceAll();
  process.exit(130);
});

if (values.help) usage();
else await runAll(chosen());

function chosen(): readonly Scenario[] {
  if (positionals.length === 0) return byDefault;
  return positionals.map((name) => {
    const found = scenarios.find((scenario) => scenario.name === name);
    if (!found)
      throw new Error(
        `There is no scenario "${name}". There are: ${scenarios.map((one) => one.name).join(', ')}`,
      );
    return found;
  });
}

async function runAll(list: readonly Scenario[]): Promise<void> {
  const seed = readNumber('seed', values.seed) ?? Date.now() % 1_000_000;
  let failed = 0;
  for (const scenario of list) {
    const passed = await runOne(scenario, seed);
    if (!passed) failed += 1;
  }
  console.log(`\n${list.length - failed} passed, ${failed} failed (seed ${seed})`);
  process.exit(failed === 0 ? 0 : 1);
}

async function runOne(scenario: Scenario, seed: number): Promise<boolean> {
  const begun = performance.now();
  const log = (line: string): void =>
    console.log(`[${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s] ${line}`);
  console.log(`\n── ${scenario.name}: ${scenario.summary}`);
  try {
    const recipients = readNumber('recipients', values.recipients) ?? scenario.recipients;
    const result = await scenario.run({ recipients, seed, log, build: true });
    for (const note of result.notes) console.log(`  ${note}`);
    const problems = problemsOf(result);
    for (const problem of problems.slice(0, mostProblems)) console.log(`  PROBLEM: ${problem}`);
    if (problems.length > mostProblems) console.log(`  … and ${problems.length - mostProblems} more`);
    console.log(problems.length === 0 ? '  passed' : `  FAILED: ${problems.length} problems`);
    return problems.length === 0;
  } catch (error) {
    console.error(error);
    return false;
  }
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} must be a whole number from 1 on, but is "${text}"`);
  return value;
}

function usage(): void {
  console.log('npm run chaos -- [--recipients N] [--seed N] [scenario …]\n');
  for (const { name, summary, recipients } of scenarios)
    console.log(`  ${name.padEnd(14)} ${summary} (${recipients})`);
}
