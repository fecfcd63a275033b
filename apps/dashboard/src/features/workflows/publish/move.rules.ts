import type { PublishPreview, WorkflowDefinition } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';

/** Who goes on by what is published. */
export type Move = 'NEW' | 'ALL';

const mostNamed = 4;

/** Who is inside, by the version that they entered with. */
export function insideInWords({ active, versions }: Pick<PublishPreview, 'active' | 'versions'>): string {
  if (active === 0) return 'Nobody is inside.';
  const all = `${plural(active, 'contact')} ${active === 1 ? 'is' : 'are'} inside`;
  const named = versions
    .slice(0, mostNamed)
    .map(({ version, active: count }) => `${formatCount(count)} entered with version ${version}`);
  if (versions.length === 1) return `${all}, having entered with version ${versions[0]?.version}.`;
  const others = versions.slice(mostNamed).reduce((sum, { active: count }) => sum + count, 0);
  if (others > 0) named.push(`${formatCount(others)} with earlier ones`);
  return `${all}: ${named.join(', ')}.`;
}

/** Whether somebody waits at a step whose waiting changes. */
export const waitsDiffer = (
  { changes }: Pick<PublishPreview, 'changes'>,
  { steps }: Pick<WorkflowDefinition, 'steps'>,
): boolean =>
  changes.some(({ kind, stepKey, fields, people }) => {
    const type = steps.find(({ key }) => key === stepKey)?.type;
    const waits = type === 'DELAY' || type === 'WAIT_FOR_EVENT';
    return kind === 'changed' && waits && people > 0 && fields.some((field) => field.startsWith('config.'));
  });

export interface Problem {
  /** the step; null for others */
  stepId: string | null;
  text: string;
}

/** What refuses a publish, or is to be looked at, as sentences about steps. */
export function problemsAt(
  given: readonly { field: string; message: string }[],
  { steps }: Pick<WorkflowDefinition, 'steps'>,
): Problem[] {
  return given.map(({ field, message }) => {
    const [, key = '', rest = ''] = /^steps\.([^.]+)\.?(.*)$/.exec(field) ?? [];
    const step = steps.find((each) => each.key === key);
    if (!step) return { stepId: null, text: field === 'transitions' ? message : `${field}: ${message}` };
    if (rest === 'templateId' && step.templateId === null)
      return { stepId: step.id, text: `“${step.name}” has no template` };
    const what = rest.replace(/^config\./, '');
    return { stepId: step.id, text: `“${step.name}”${what && `, ${what}`}: ${message}` };
  });
}
