import type { RunRecord } from './run-record.ts';
import { type Summary, summarize } from './summarize.ts';

export interface PageHead {
  /** ISO 8601 */
  at: string;
  commit: string;
  command: string;
  /** one line each: the machine and the versions of the programs */
  versions: string[];
  /** summary of each scenario by name */
  summaries: ReadonlyMap<string, string>;
}

const mostProblems = 5;

/** The text of docs/chaos.md: all figures come from the recorded runs. */
export function chaosPage(head: PageHead, records: readonly RunRecord[]): string {
  const summaries = summarize(records);
  const seconds = summaries.reduce((sum, one) => sum + one.seconds, 0);
  const failed = records.filter(({ problems }) => problems.length > 0);
  return [
    '# Chaos runs',
    '',
    `This page is written by \`${head.command}\`. Do not edit it.`,
    '',
    'Each run starts the product as real processes, injects faults while email is being sent, waits until everything has',
    'a final state, and compares ledger, campaign counters, events and queue row by row with the messages that the mail',
    'server received.',
    '',
    `- Date: ${head.at.slice(0, 10)}, ${commitsOf(head.commit, records)}`,
    ...head.versions.map((line) => `- ${line}`),
    `- ${records.length} runs in ${Math.round(seconds / 60)} minutes, ${records.length - failed.length} passed, ${failed.length} failed`,
    '',
    '| Scenario | Runs | Emails | Kills | Lost | Doubled | Stranded | Sent once more | UNCERTAIN: min / median / max | At most | Passed |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...summaries.map(row),
    '',
    '- **Lost**: SENT by its row, and not at the mail server. **Doubled**: received more often than its row allows.',
    '  **Stranded**: without a final state, or still queued.',
    '- **Sent once more**: transactional email that was UNCERTAIN and is therefore sent a second time (B3.3).',
    '- **UNCERTAIN**: per `kill -9` in `machines`, per run elsewhere. At most as many emails may become UNCERTAIN as the',
    '  killed processes had connections. A dash means that the scenario makes emails UNCERTAIN on purpose.',
    '',
    '## What the scenarios do',
    '',
    ...summaries.map(({ scenario }) => `- \`${scenario}\`: ${head.summaries.get(scenario) ?? ''}`),
    ...notesOf(records),
    ...problemLines(failed),
    '',
  ].join('\n');
}

/** Runs of an earlier commit are named by their scenarios. */
function commitsOf(commit: string, records: readonly RunRecord[]): string {
  const earlier = Map.groupBy(
    records.filter((record) => record.commit !== commit),
    (record) => record.commit,
  );
  const others = [...earlier].map(([of, runs]) => {
    const names = new Set(runs.map(({ scenario }) => `\`${scenario}\``));
    return `; commit \`${of}\` in the runs of ${[...names].join(', ')}`;
  });
  return `commit \`${commit}\`${others.join('')}`;
}

function row(one: Summary): string {
  const { uncertain, mostUncertain } = one;
  const range = uncertain ? `${uncertain.least} / ${uncertain.median} / ${uncertain.most}` : '–';
  const cells = [
    `\`${one.scenario}\``,
    one.runs,
    one.mails.toLocaleString('en-US'),
    one.kills,
    one.lost,
    one.doubled,
    one.stranded,
    one.resent,
    range,
    mostUncertain ?? '–',
    one.failed === 0 ? 'yes' : `**no** (${one.failed} of ${one.runs} failed)`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The notes of the last run of each scenario: figures that its table row does not have. */
function notesOf(records: readonly RunRecord[]): string[] {
  const last = new Map(records.map((record) => [record.scenario, record]));
  const lines = [...last.values()].flatMap(({ scenario, seed, notes }) => {
    // Indented notes name single emails.
    const figures = notes.filter((note) => !note.startsWith(' '));
    if (figures.length === 0) return [];
    return [`### ${scenario}, seed ${seed}`, '', ...figures.map((note) => `- ${note}`), ''];
  });
  return lines.length === 0
    ? []
    : ['', '## Figures of the last run of each scenario', '', ...lines.slice(0, -1)];
}

function problemLines(failed: readonly RunRecord[]): string[] {
  if (failed.length === 0) return [];
  return [
    '',
    '## Failed runs',
    '',
    ...failed.flatMap(({ scenario, seed, problems }) => [
      `- \`${scenario}\`, seed ${seed}: ${problems.length} problems`,
      ...problems.slice(0, mostProblems).map((problem) => `  - ${problem.split('\n')[0]}`),
    ]),
  ];
}
