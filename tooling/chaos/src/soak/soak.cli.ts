import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { forceAll } from '@postrider/local/registry';
import { ROOT } from '@postrider/local/root';
import { type Plant, plants, runSoak } from './run-soak.ts';

/**
 * `npm run soak -- [--hours 8 | --minutes 3] [--seed n] [--rate 20] [--plant leak] [--results file]`: the product under everything at once for
 * a long time. Exits with 1 if a threshold is broken, or an email is lost or sent twice.
 */
const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    rate: { type: 'string', default: '20' },
    plant: { type: 'string' },
    results: { type: 'string', default: join(ROOT, '.postrider/soak/samples.ndjson') },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const defaultHours = 8;

process.once('SIGINT', () => {
  forceAll();
  process.exit(130);
});

if (values.help) usage();
else await run();

async function run(): Promise<void> {
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : number('seed', values.seed);
  const seconds =
    values.minutes === undefined
      ? number('hours', values.hours ?? String(defaultHours)) * 3_600
      : number('minutes', values.minutes) * 60;
  await mkdir(dirname(values.results), { recursive: true });
  await writeFile(values.results, '');
  console.log(`${(seconds / 60).toFixed(0)} minutes, seed ${seed}; samples go to ${values.results}`);
  let writing = Promise.resolve();
  const { problems, notes } = await runSoak({
    ...{ seconds, seed, rate: number('rate', values.rate), plant: plantOf(values.plant) },
    log: (line) => console.log(line),
    onSample(sample) {
      // Each answer by itself would be most of the file.
      const { requests, ...rest } = sample;
      const line = JSON.stringify({ ...rest, requests: requests.ms.length, repeated: requests.repeated });
      writing = writing.then(() => appendFile(values.results, `${line}\n`));
    },
  });
  await writing;
  for (const note of notes) console.log(note);
  for (const problem of problems) console.error(`FAILED: ${problem}`);
  console.log(problems.length === 0 ? 'passed' : `${problems.length} problems`);
  process.exit(problems.length === 0 ? 0 : 1);
}

function plantOf(text: string | undefined): Plant | undefined {
  if (text === undefined) return undefined;
  const found = plants.find((plant) => plant === text);
  if (!found) throw new Error(`--plant must be one of ${plants.join(', ')}, but is "${text}"`);
  return found;
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, but is "${text}"`);
  return value;
}

function usage(): void {
  console.log(
    [
      'npm run soak -- [options]',
      '',
      `  --hours N       how long (${defaultHours}); slopes are judged from 20 minutes on, below it levels`,
      '  --minutes N     the same in minutes',
      '  --rate N        requests a second (20)',
      '  --seed N        course of the run',
      `  --plant LEAK    puts a leak in, to see that it is found: ${plants.join(', ')}`,
      '  --results FILE  where samples are written, a line each',
    ].join('\n'),
  );
}
