import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const megabyte = 1_048_576;

/** `npm run fuzz -- parsers`: texts of up to 1 MB for every function that reads text from outside. */
if (process.argv[2] === 'parsers') {
  const core = fileURLToPath(new URL('../../../../packages/core/', import.meta.url));
  const run = spawnSync('vitest', ['run', '--root', core, 'src/testing/foreign-parsers'], {
    stdio: 'inherit',
    env: { ...process.env, PARSERS_LONGEST: String(megabyte) },
  });
  process.exit(run.status ?? 1);
}

const folder = fileURLToPath(new URL('../../', import.meta.url));

/** `npm run fuzz -- agents [--attempts 1000] [--seed 1]`: what a key of the scope `agent` may try to get around a person's consent. */
if (process.argv[2] === 'agents') {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { attempts: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
  });
  const run = spawnSync('vitest', ['run', '--root', folder, 'test/agent-'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      AGENT_ATTEMPTS: wholeNumber('attempts', values.attempts),
      AGENT_SEED: wholeNumber('seed', values.seed),
    },
  });
  process.exit(run.status ?? 1);
}

/** `npm run fuzz -- [--requests 50000] [--seed N]`: the fuzz test at full length, which brings its own database. */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    report: { type: 'string' },
  },
});

function wholeNumber(name: string, text: string): string {
  if (/^[1-9]\d*$/.test(text)) return text;
  throw new Error(`--${name} must be a whole number from 1 on, but is "${text}"`);
}

const requests = wholeNumber('requests', values.requests);
const seed = wholeNumber('seed', values.seed);
console.log(`${requests} requests; to repeat them: npm run fuzz -- --requests ${requests} --seed ${seed}`);
const { status } = spawnSync('vitest', ['run', '--root', folder, 'test/fuzz.process.test.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_REQUESTS: requests,
    FUZZ_SEED: seed,
    ...(values.report === undefined ? {} : { FUZZ_REPORT: values.report }),
  },
});
process.exit(status ?? 1);
