import type { Finding, FindingGroup, Verdict } from '@postrider/core/insight/findings';

const titles: Readonly<Record<FindingGroup, string>> = {
  configuration: 'Configuration',
  versions: 'Versions and clocks',
  postgres: 'PostgreSQL',
  queues: 'Queues',
  temporal: 'Temporal server',
  smtp: 'Mail server',
  dns: 'DNS',
  ses: 'Amazon SES',
  storage: 'Storage',
  ports: 'Ports',
};

const order: readonly Verdict[] = ['failure', 'warning', 'unknown', 'advice', 'ok'];

/** Findings for people: by group, those that are not ok, each with its cause and what to do, and a last line that counts all. */
export function presentFindings(findings: readonly Finding[]): string[] {
  const lines: string[] = [];
  const told = findings.filter(({ verdict }) => verdict !== 'ok');
  for (const [group, ofGroup] of Map.groupBy(told, groupOf)) {
    lines.push(titles[group], ...together(ofGroup).sort(bySeverity).flatMap(linesOf), '');
  }
  return [...lines, summary(findings)];
}

const groupOf = ({ check }: Finding): FindingGroup => check.split('.')[0] as FindingGroup;

const bySeverity = (a: Told, b: Told): number => order.indexOf(a.verdict) - order.indexOf(b.verdict);

/** Checks that could not be made for one reason are one. */
function together(findings: readonly Finding[]): Told[] {
  const reasonOf = ({ verdict, check, cause }: Finding): string =>
    verdict === 'unknown' ? cause : check + cause;
  const groups = Map.groupBy(findings, reasonOf);
  return [...groups.values()].flatMap(([first, ...others]): Told[] => {
    if (first === undefined) return [];
    if (first.verdict !== 'unknown' || others.length === 0) return [first, ...others];
    const names = [first, ...others].map(({ check }) => check.split('.')[1]);
    return [
      {
        ...first,
        subject: `${names.length} checks`,
        found: `not made: ${names.join(', ')}`,
        reference: null,
      },
    ];
  });
}

type Told = Omit<Finding, 'reference'> & { reference: string | null };

function linesOf({ verdict, subject, found, cause, action, reference }: Told): string[] {
  return [
    `  ${verdict.padEnd(8)} ${subject}: ${found}`,
    ...(cause ? [`           ${cause}`] : []),
    ...(action ? [`           → ${action}`] : []),
    ...(reference === null ? [] : [`           docs/operation.md, "${reference}"`]),
  ].map(onOneLine);
}

/** Texts of servers may have line ends. */
const onOneLine = (line: string): string => line.replace(/[\r\n]+\s*/g, ' ');

function summary(findings: readonly Finding[]): string {
  const counts = order.map((verdict) => [
    verdict,
    findings.filter((each) => each.verdict === verdict).length,
  ]);
  const parts = counts.flatMap(([verdict, count]) => (count === 0 ? [] : [`${count} ${verdict}`]));
  const worst = Math.max(0, ...findings.map(({ ms }) => ms));
  return `${parts.join(', ') || 'nothing was checked'} (${(worst / 1_000).toFixed(1)} s)`;
}
