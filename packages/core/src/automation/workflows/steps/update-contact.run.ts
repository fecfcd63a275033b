import {
  type ContactChangeById,
  type presentDefinitions,
  settleData,
  splitContactData,
} from '../../../audience/contacts/index.ts';
import { storable } from '../../../base/lib/index.ts';
import type { Visit } from '../runtime/member.ts';
import type { SetTools } from '../runtime/set-tools.ts';
import { againMs, type StepAt, type StepResult, type StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';

type Config = StepConfigs['UPDATE_CONTACT'];
type Definitions = Awaited<ReturnType<typeof presentDefinitions>>;

const wanted = { subscribe: true, unsubscribe: false, none: null } as const;

export const updateContactRun: StepRun<Config> = {
  async runSet(visits, at, tools) {
    const definitions = await tools.definitions();
    const settled = visits.map((visit) => settle(visit, at, tools, definitions));
    const changes = settled.flatMap((each) => ('change' in each ? [each.change] : []));
    const updated = changes.length === 0 ? new Map<string, never>() : await tools.update(changes);
    return settled.map((each, index): StepResult => {
      if ('result' in each) return each.result;
      const { id, set, lists, unset } = each.change;
      const after = updated.get(id);
      const member = visits[index]?.member;
      if (!after || !member) return { kind: 'left', afterMs: againMs.held };
      if (after.isTooLarge) return { kind: 'failed', error: tooLarge };
      member.contact = {
        ...member.contact,
        data: after.data,
        subscribed: after.subscribed,
        updatedAt: after.updatedAt.toISOString(),
      };
      return {
        kind: 'completed',
        output: {
          updatedKeys: [...Object.keys(set), ...Object.keys(lists ?? {}), ...unset].sort(),
          subscriptionChanged: after.flipped,
          ...(after.isRefused && { subscriptionRefused: true }),
          ...(each.warnings.length > 0 && { warnings: each.warnings }),
        },
      };
    });
  },
};

const tooLarge = 'The data of a contact can have at most 64 KiB of JSON. This update would exceed it';

type Settled =
  | { change: ContactChangeById; warnings: readonly unknown[] }
  | { result: Extract<StepResult, { kind: 'left' | 'failed' }> };

function settle(
  visit: Visit,
  { config, project }: Pick<StepAt<Config>, 'config' | 'project'>,
  tools: SetTools,
  definitions: Definitions,
): Settled {
  const { data = {}, subscriptionAction = 'none' } = config;
  const filled = tools.fill(visit, { values: data, keepsTypes: true });
  if (!filled) return { result: { kind: 'left', afterMs: againMs.texts } };
  if ('problem' in filled) return { result: { kind: 'failed', error: filled.problem } };
  const values = Object.fromEntries(
    Object.entries(filled.texts.values as typeof data).map(([key, value]) => [
      key,
      typeof value === 'string' ? storable(value) : value,
    ]),
  );
  const split = splitContactData(values, 'stored-only');
  const { set, unset, lists, warnings, issues } = settleData(split, definitions, project.timeZone, 'lenient');
  const [issue] = [...split.issues, ...issues];
  if (issue) {
    const error = `The contact was not updated: ${issue.path.join('.')}: ${issue.message}`;
    return { result: { kind: 'failed', error } };
  }
  const { id, email } = visit.member.contact;
  const executionId = visit.member.id;
  return {
    change: { id, email, subscribed: wanted[subscriptionAction], set, unset, lists, executionId },
    warnings,
  };
}
