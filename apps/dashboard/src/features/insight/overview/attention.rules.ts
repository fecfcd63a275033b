import type { Overview, Security, WorkflowItem } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';

export interface AttentionItem {
  tone: 'bad' | 'warn';
  text: string;
  /** the page within the project that shows it */
  to: string;
}

export type FailingWorkflow = Pick<WorkflowItem, 'id' | 'name' | 'enabled' | 'disabledReason' | '_count'>;

function failing({ id, name, enabled, disabledReason, _count }: FailingWorkflow): AttentionItem[] {
  if (!enabled && disabledReason === 'errors')
    return [
      {
        tone: 'bad',
        text: `The workflow “${name}” was disabled, because too many executions failed`,
        to: `workflows/${id}/executions?status=FAILED`,
      },
    ];
  if (_count.failed24h === 0) return [];
  return [
    {
      tone: 'bad',
      text: `${plural(_count.failed24h, 'execution')} of “${name}” failed in the last 24 hours`,
      to: `workflows/${id}/executions?status=FAILED`,
    },
  ];
}

/** What the members of a project should look at, the most urgent first. */
export function attentionOf(
  overview: Overview,
  security: Security | undefined,
  workflows: readonly FailingWorkflow[] = [],
): AttentionItem[] {
  const { emails24h, domains, pausedRoute, forms } = overview;
  const items: (AttentionItem | false | null | undefined)[] = [
    security?.isDisabled && {
      tone: 'bad',
      text: 'The project is disabled; nothing is sent',
      to: 'reputation',
    },
    pausedRoute && {
      tone: 'bad',
      text: `The mail server can't be used; emails wait and are sent later: ${pausedRoute.reason}`,
      to: 'emails?status=PENDING',
    },
    ...(security?.status.violations ?? []).map((text) => ({ tone: 'bad' as const, text, to: 'reputation' })),
    emails24h.failed > 0 && {
      tone: 'bad',
      text: `${plural(emails24h.failed, 'email')} failed in the last 24 hours`,
      to: 'emails?status=FAILED',
    },
    ...workflows.flatMap(failing),
    emails24h.uncertain > 0 && {
      tone: 'warn',
      text: `${plural(emails24h.uncertain, 'email')} of the last 24 hours without an answer of the server`,
      to: 'emails?status=UNCERTAIN',
    },
    ...(security?.status.warnings ?? []).map((text) => ({ tone: 'warn' as const, text, to: 'reputation' })),
    forms.limited && {
      tone: 'warn',
      text: 'Too many sign-ups are not confirmed; forms take no more for now',
      to: 'forms',
    },
    forms.guarded > 0 && {
      tone: 'warn',
      text: `${plural(forms.guarded, 'form')} guarded, because few sign-ups are confirmed`,
      to: 'forms',
    },
    domains.total > domains.verified && {
      tone: 'warn',
      text: `${plural(domains.total - domains.verified, 'domain')} not verified`,
      to: 'domains',
    },
  ];
  return items.filter((item): item is AttentionItem => Boolean(item));
}
