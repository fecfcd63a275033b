import {
  type Cost,
  type Costs,
  coresFor,
  diskFor,
  diskReserve,
  errorPercent,
  type Flow,
  goals,
  type Idle,
  machineClasses,
  meanIdle,
  missed,
  peakRate,
  peakShare,
  planned,
  relayConnections,
  type Shape,
  shapeFor,
  type Taken,
  type Unit,
  units,
  walFor,
} from './capacity.rules.ts';
import type { MachineReference } from './measure-machine.ts';
import type { Prediction } from './predict-loads.ts';
import type { PartMemory } from './process-memory.ts';

export interface CapacityFigures {
  machine: MachineReference;
  idle: Idle;
  costs: Costs;
  memory: readonly PartMemory[];
  /** null when none were made */
  predictions: readonly Prediction[] | null;
}

export interface PageHead {
  /** ISO 8601 */
  at: string;
  commit: string;
  command: string;
  /** one line each: the machine and the versions of the programs */
  versions: readonly string[];
  /** of each phase */
  seconds: number;
  /** load averages of the minute before the run, and at its end */
  load: readonly [before: number, after: number];
}

const processor = ['node', 'postgres', 'temporal'] as const;
const days = 90;
const perDay = [1e6, 10e6, 100e6];
const secondsPerMessage = 0.1;
/** What belongs to an email of the example. */
const perEmail: readonly { unit: Unit; count: number }[] = [
  { unit: 'accept', count: 1 },
  { unit: 'signed delivery', count: 1 },
  { unit: 'open', count: 0.4 },
  { unit: 'click', count: 0.05 },
];

/** The text of docs/capacity.md: all figures come from the run. */
export function capacityPage(head: PageHead, figures: CapacityFigures): string {
  const { machine, idle, costs, memory, predictions } = figures;
  return [
    '# Capacity',
    '',
    `This page is written by \`${head.command}\`. Do not edit it.`,
    '',
    'How much of a machine each kind of work takes, and how large a machine has to be for so much of it. Each kind was measured by itself, for',
    `${head.seconds} seconds, on the product as real processes with PostgreSQL on its durable settings; the load generator and the mail server were on the same machine, and are not counted.`,
    '',
    `- Date: ${head.at.slice(0, 10)}, commit \`${head.commit}\`, ${head.seconds} s a phase`,
    ...head.versions.map((line) => `- ${line}`),
    `- Load average before the run ${head.load[0].toFixed(1)}, at its end ${head.load[1].toFixed(1)}: on a busy machine everything takes longer, and these figures mean little`,
    '',
    '## The machine',
    '',
    'Compare with these before you use the figures below on another machine: processor time goes with the first, what is written with the other two.',
    '',
    '| One program alone, one after another | A second |',
    '|---|---|',
    `| RSA-2048 signatures on one core | ${whole(machine.signatures)} |`,
    `| writes of 8 kB, each on the disk (\`fsync\`) | ${whole(machine.fsyncs)} |`,
    `| rows committed to PostgreSQL | ${whole(machine.commits)} |`,
    '',
    '## What each unit takes',
    '',
    ...unitTable(costs),
    '',
    '- **accept**: `/v1/send` to one new address, 4 kB of HTML, while no email leaves. **delivery**: handing it over to the mail server; **signed**: by a',
    '  domain with an RSA-2048 key. Domains do not sign with Ed25519, so there is no line for it. **open**, **click**: the first of an email. **event**: `/v1/track` of a',
    '  contact that there is. **execution**: trigger, condition, change of the contact, end. **webhook attempt**: of `email.sent`, to an endpoint that answers at once. **import row**: a new contact',
    '  from CSV. **freeze**, **campaign delivery**: a recipient of a campaign with three links, not signed.',
    '- **At most**: as fast as this machine goes. **Evenly**: at a pace at which hardly any requests come together. Requests that arrive at a time share statements and',
    '  commits, so that each takes less. Between the two, what one takes is assumed to go with the logarithm of the rate of all requests together, and beyond',
    '  them to stay the same.',
    '- Measured apart: requests were accepted while all email was held, and then left. Subtracted: the request, from deliveries at an even pace; the event, from executions; the email, from attempts (each email has four).',
    '  What the stack takes without work is subtracted everywhere.',
    '- PostgreSQL is all of its processes, those that ended included; figures that are added up once a minute were added up at the end of each phase. Vacuum ran between the phases, and is part of the room',
    '  that the formulas leave.',
    '- At rest: growth of tables and indexes after a vacuum, without the room that later rows use, queues, clicks of the last minutes, and the request log, whose size is a setting (`REQUEST_LOG_MAX_MB`).',
    '',
    `Without work the stack takes ${percent(processor.reduce((sum, key) => sum + meanIdle(idle, key), 0))} of a core (Node ${percent(meanIdle(idle, 'node'))}, PostgreSQL ${percent(meanIdle(idle, 'postgres'))}, Temporal ${percent(meanIdle(idle, 'temporal'))}) and writes ${bytesText(meanIdle(idle, 'walBytes'))} of WAL a second.`,
    '',
    '## Memory',
    '',
    'PSS at the end of the run, in MB. What processes share counts once.',
    '',
    '| Part | Processes | Together | Median | Largest |',
    '|---|---|---|---|---|',
    ...memory.map(
      (one) =>
        `| ${one.part} | ${one.processes} | ${whole(one.together)} | ${one.median.toFixed(1)} | ${one.most.toFixed(1)} |`,
    ),
    '',
    '## Formulas',
    '',
    '| For | Formula |',
    '|---|---|',
    `| rate at the peak | \`rate = per day × ${peakShare} / 3,600\`: a tenth of the day falls into its busiest hour |`,
    `| cores | \`cores = Σ rate × µs / 10⁶ / ${planned}\`: the rest is for bursts, vacuum and what is read |`,
    `| disk | \`disk = Σ per day × bytes × days × ${diskReserve}\` |`,
    '| WAL a second | `Σ rate × bytes of WAL`: what a standby and an archive have to take |',
    '| connections to the mail server | `rate × seconds per message`: see `SMTP_CONNECTIONS` |',
    '',
    '| Class | Cores | Memory | Database up to | PostgreSQL |',
    '|---|---|---|---|---|',
    ...machineClasses.map(
      ({ name, cores, memoryGiB, diskBytes, apart }) =>
        `| ${name} | ${cores} | ${memoryGiB} GiB | ${bytesText(diskBytes)} | ${apart ? 'on a machine of this size of its own' : 'on the same machine'} |`,
    ),
    '',
    '## Example',
    '',
    `An email is accepted by itself, signed, delivered, opened by ${share('open')} of its recipients and clicked by ${share('click')}, and kept for ${days} days. The mail server takes ${secondsPerMessage} s for a message. All of these, the shares in the formulas and the limits of the classes are chosen, not measured; rates above those of the table are extrapolated.`,
    '',
    '| Emails a day | Peak/s | Cores | Disk | WAL | Connections | Machine |',
    '|---|---|---|---|---|---|---|',
    ...perDay.map((count) => exampleRow(costs, count)),
    ...(predictions === null ? [] : predictionLines(predictions)),
    '',
  ].join('\n');
}

function unitTable(costs: Costs): string[] {
  const ofCost = ({ perSecond, nodeMicros, postgresMicros, temporalMicros, walBytes }: Cost): string[] =>
    [perSecond, nodeMicros, postgresMicros, temporalMicros, walBytes].map(whole);
  const none = Array.from({ length: 5 }, () => '–');
  return [
    '| | At most: a second | Node µs | PostgreSQL µs | Temporal µs | WAL B | Evenly: a second | Node µs | PostgreSQL µs | Temporal µs | WAL B | At rest B |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...units.map((unit) => {
      const { most, steady, bytes } = costs[unit];
      const cells = [unit, ...ofCost(most), ...(steady === null ? none : ofCost(steady)), whole(bytes)];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}

function exampleRow(costs: Costs, emails: number): string {
  const rate = peakRate(emails);
  const flows: Flow[] = perEmail.map(({ unit, count }) => ({ unit, perSecond: rate * count }));
  const cores = coresFor(costs, flows);
  const disk = diskFor(
    costs,
    perEmail.map(({ unit, count }) => ({ unit, perDay: emails * count, days })),
  );
  const cells = [
    `${emails / 1e6} M`,
    whole(rate),
    cores < 1 ? cores.toFixed(2) : cores.toFixed(1),
    bytesText(disk),
    `${bytesText(walFor(costs, flows))}/s`,
    whole(relayConnections(rate, secondsPerMessage)),
    shapeText(shapeFor(cores, disk)),
  ];
  return `| ${cells.join(' | ')} |`;
}

function shapeText({ name, count, decidedBy }: Shape): string {
  const decides = decidedBy === 'disk' ? 'the disk decides' : 'the processors decide';
  return count === 1
    ? `${name}: ${decides}`
    : `${count} × ${name}, each an installation of its own: ${decides}`;
}

const share = (unit: Unit): string => {
  const found = perEmail.find((one) => one.unit === unit);
  return `${((found?.count ?? 0) * 100).toFixed(0)} %`;
};

const parts: readonly { key: keyof Taken; label: string; text(value: number): string }[] = [
  { key: 'processorSeconds', label: 'processor', text: (value) => `${value.toFixed(1)} s` },
  { key: 'walBytes', label: 'WAL', text: (value) => bytesText(value) },
  { key: 'bytes', label: 'at rest', text: (value) => bytesText(value) },
];

function predictionLines(predictions: readonly Prediction[]): string[] {
  return [
    '',
    '## Predicted and measured',
    '',
    `Loads of several kinds at once, predicted from the table above. The goal is ${goals.processorSeconds} % for the processor and ${goals.walBytes} % for what is written.`,
    '',
    '| Load | | Predicted | Measured | Error |',
    '|---|---|---|---|---|',
    ...predictions.flatMap(({ load, predicted, measured }) =>
      parts.map(({ key, label, text }) => {
        const error = errorPercent(predicted[key], measured[key]);
        return `| ${load} | ${label} | ${text(predicted[key])} | ${text(measured[key])} | ${signed(error)} % |`;
      }),
    ),
  ];
}

/** What is further off than its goal, in sentences. */
export const failuresOf = (predictions: readonly Prediction[]): string[] =>
  predictions.flatMap(({ load, predicted, measured }) => {
    const off = missed(predicted, measured);
    return parts
      .filter(({ key }) => off.includes(key))
      .map(({ key, label, text }) => {
        const error = signed(errorPercent(predicted[key], measured[key]));
        return `${load}: ${label} was predicted as ${text(predicted[key])} and measured as ${text(measured[key])}; the error is ${error} %, and the goal ${goals[key]} %`;
      });
  });

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(0)}`;
const percent = (cores: number): string => `${(cores * 100).toFixed(1)} %`;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** In decimal units, two digits or more. */
function bytesText(value: number): string {
  const [unit, size] = (
    [
      ['TB', 1e12],
      ['GB', 1e9],
      ['MB', 1e6],
      ['kB', 1e3],
    ] as const
  ).find(([, least]) => value >= least) ?? ['B', 1];
  const scaled = value / size;
  return `${scaled >= 10 ? whole(scaled) : scaled.toFixed(1)} ${unit}`;
}
