import type { Filter, FilterTree } from '../../../audience/segments/filters.rules.ts';
import type { EventExit, ExitRule } from '../definitions/ends.rules.ts';
import type { GivenGoal, GivenStep, GivenTransition } from './runtime.fixture.ts';

/** A graph, and an interpreter that runs one execution of it alone, written apart from the product's code. */
export interface Model {
  steps: Record<string, GivenStep>;
  transitions: GivenTransition[];
  exits: ExitRule[];
  goals: GivenGoal[];
}

export interface Person {
  email: string;
  data: Record<string, unknown>;
  subscribed: boolean;
  /** the data of the event by which they enter */
  context: Record<string, unknown>;
}

export type Happening =
  | { kind: 'event'; at: Date; person: number; name: string; data: Record<string, unknown> }
  | { kind: 'time'; at: Date };

export interface Outcome {
  status: string;
  exitReason: string | null;
  at: string | null;
  context: object;
  dueAt: Date | null;
  /** status and outcome of each step that was reached */
  steps: Record<string, string>;
  emails: string[];
  contact: { data: object; subscribed: boolean };
}

export interface Scene {
  model: Model;
  people: Person[];
  /** in the order of their times */
  happenings: Happening[];
  begin: Date;
  interpret(person: Person): Outcome;
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const minute = 60_000;
const plans = ['free', 'pro', 'team'];
const names = ['paid', 'seen'];

/** A random graph without loops of all types that need no other service, with people and what happens to them. */
export function randomScene(seed: number, count: number): Scene {
  const random = randomOf(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const size = 3 + below(9);
  const steps: Model['steps'] = {};
  const transitions: GivenTransition[] = [];
  const stepNames = Array.from({ length: size }, (_, index) => `s${index}`);
  transitions.push({ from: 'trigger', to: 's0' });
  for (const [index, name] of stepNames.entries()) {
    const later = stepNames.slice(index + 1);
    const leads = (more: Partial<GivenTransition> = {}): void => {
      if (later.length > 0 && random() < 0.92)
        transitions.push({ from: name, to: pick(later.slice(0, 3)), ...more });
    };
    const kind = pick(['mail', 'delay', 'wait', 'wait', 'condition', 'condition', 'update', 'exit'] as const);
    switch (index === 0 && kind === 'exit' ? 'update' : kind) {
      case 'mail':
        steps[name] = { type: 'SEND_EMAIL', config: {} };
        leads();
        break;
      case 'delay':
        steps[name] = { type: 'DELAY', config: { amount: 1 + below(30), unit: 'minutes' } };
        leads();
        break;
      case 'wait': {
        const timeout = random() < 0.7 ? { timeout: 60 * (1 + below(40)) } : {};
        const where = pick([
          [{ property: 'plan', operator: 'equals', value: '{{event.plan}}' }],
          [{ property: 'plan', operator: 'isAnyOf', value: plans.slice(0, 2) }],
          [{ property: 'via', operator: 'exists' }],
        ]);
        const awaited = pick([
          { eventName: pick(names) },
          { events: [{ eventName: pick(names), where }] },
          { events: [{ eventName: 'paid', where }, { eventName: 'seen' }] },
        ]);
        steps[name] = { type: 'WAIT_FOR_EVENT', config: { ...awaited, ...timeout } };
        if (random() < 0.3) leads();
        else {
          leads({ waitOutcome: 'EVENT' });
          leads({ waitOutcome: 'TIMEOUT' });
        }
        break;
      }
      case 'condition': {
        const field = pick(['data.plan', 'event.plan', 'data.stage']);
        const form = below(4);
        if (form < 2) {
          const tree = () => randomTree({ below, pick, before: stepNames.slice(0, index), steps });
          if (form === 0) {
            steps[name] = { type: 'CONDITION', config: { condition: tree() } };
            leads({ branch: 'yes' });
            leads({ branch: 'no' });
          } else {
            const branches = plans.slice(0, 1 + below(3)).map((id) => ({ id, name: id, condition: tree() }));
            steps[name] = { type: 'CONDITION', config: { mode: 'multi', branches } };
            for (const { id } of branches) leads({ branch: id });
            leads({ branch: 'default' });
          }
        } else if (form === 2) {
          steps[name] = { type: 'CONDITION', config: { field, operator: 'equals', value: pick(plans) } };
          leads({ branch: 'yes' });
          leads({ branch: 'no' });
        } else {
          const branches = plans
            .slice(0, 1 + below(3))
            .map((value) => ({ id: value, name: value, operator: 'equals', value }));
          steps[name] = { type: 'CONDITION', config: { mode: 'multi', field, branches } };
          for (const { id } of branches) leads({ branch: id });
          leads({ branch: 'default' });
        }
        break;
      }
      case 'update': {
        const data = pick([
          { stage: '{{event.plan}}' },
          { stage: pick(plans) },
          { plan: null, n: index },
          { via: '{{ event.via }}' },
        ]);
        const subscriptionAction = pick(['none', 'none', 'subscribe', 'unsubscribe']);
        steps[name] = { type: 'UPDATE_CONTACT', config: { data, subscriptionAction } };
        leads();
        break;
      }
      case 'exit':
        steps[name] = {
          type: 'EXIT',
          config: { reason: pick([`left at ${name}`, 'left with {{event.plan}}']) },
        };
    }
  }
  // One scene in three has nothing that ends executions from outside. In the others more happens to a few people.
  const hasEnds = seed % 3 !== 0;
  const begin = new Date(Date.UTC(2030, 0, 1));
  const people = Array.from(
    { length: count },
    (_, index): Person => ({
      email: `p${index}.${seed}@people.test`,
      data: random() < 0.8 ? { plan: pick(plans) } : {},
      subscribed: random() < 0.8,
      context: random() < 0.8 ? { plan: pick(plans) } : {},
    }),
  );
  const happenings = Array.from({ length: 30 }, (_, index): Happening => {
    const at = new Date(begin.getTime() + (index + 1) * 4 * minute + below(3) * 1_000);
    if (random() < 0.3) return { kind: 'time', at };
    const data = random() < 0.5 ? { plan: pick(plans), via: index } : {};
    const person = below(hasEnds ? Math.ceil(count / 3) : count);
    return { kind: 'event', at, person, name: pick(names), data };
  });
  const event = (): Omit<EventExit, 'name'> =>
    pick([
      { eventName: pick(names) },
      {
        eventName: pick(names),
        where: [{ property: 'plan', operator: 'equals' as const, value: pick(plans) }],
      },
      { eventName: pick(names), where: [{ property: 'via', operator: 'exists' as const }] },
    ]);
  const exits = Array.from({ length: hasEnds ? 1 + below(3) : 0 }, (_, index): ExitRule => {
    const name = `exit ${index}`;
    const condition = randomTree({ below, pick, before: [], steps });
    return below(2) === 0 ? { name, ...event() } : { name, condition };
  });
  const goals = Array.from({ length: hasEnds ? 1 + below(2) : 0 }, (_, index) => ({
    ...{ name: `goal ${index}`, ...event() },
    ...(below(3) > 0 && { toStep: pick(stepNames) }),
  }));
  const model = { steps, transitions, exits, goals };
  return {
    model,
    people,
    happenings,
    begin,
    interpret: (person) => interpret(model, person, people.indexOf(person), begin, happenings),
  };
}

interface Picking {
  below(most: number): number;
  pick<T>(list: readonly T[]): T;
  /** the steps that may have been taken before */
  before: readonly string[];
  steps: Model['steps'];
}

/** A random tree over the contact, the context, and earlier steps and their emails. */
function randomTree(from: Picking, depth = 0): FilterTree {
  const { below, pick, before, steps } = from;
  const values = ['data.plan', 'data.stage', 'data.via', 'context.plan', 'context.via'];
  const filter = (): Filter => {
    const mails = before.filter((name) => steps[name]?.type === 'SEND_EMAIL');
    const waits = before.filter((name) => steps[name]?.type === 'WAIT_FOR_EVENT');
    const kind = below(4);
    if (kind === 0 && mails.length > 0) {
      const mail = pick(mails);
      return pick<Filter>([
        { field: `step.${mail}.skipped`, operator: 'occurred' },
        { field: `step.${mail}.skipped`, operator: 'notOccurred' },
        { field: `step.${mail}.sent`, operator: 'occurred' },
        { field: `step.${mail}.skipped`, operator: 'equals', value: 'unsubscribed' },
      ]);
    }
    if (kind === 1 && waits.length > 0) {
      const path = `step.${pick(waits)}`;
      return pick<Filter>([
        { field: `${path}.eventName`, operator: 'equals', value: pick(names) },
        { field: `${path}.waitOutcome`, operator: 'equals', value: pick(['EVENT', 'TIMEOUT']) },
        { field: `${path}.eventData.plan`, operator: 'equals', value: pick(plans) },
      ]);
    }
    return pick<Filter>([
      { field: pick(values), operator: 'equals', value: pick([...plans, 3]) },
      { field: pick(values), operator: pick(['exists', 'notExists']) },
      { field: 'subscribed', operator: 'equals', value: pick([true, false]) },
    ]);
  };
  const groups = Array.from({ length: 1 + below(2) }, () => {
    const filters = Array.from({ length: 1 + below(2) }, filter);
    return depth < 2 && below(3) === 0 ? { filters, conditions: randomTree(from, depth + 1) } : { filters };
  });
  return { logic: pick(['AND', 'OR']), groups };
}

type Config = Record<string, unknown>;

/** Runs one execution from event to event, a step at a time. */
function interpret(
  { steps, transitions, exits, goals }: Model,
  person: Person,
  index: number,
  begin: Date,
  happenings: readonly Happening[],
): Outcome {
  const contact = { data: { ...person.data }, subscribed: person.subscribed };
  let context: Record<string, unknown> = { ...person.context };
  const taken: Record<string, string> = {};
  /** what each step has recorded, as far as trees look at it */
  const outputs: Record<string, Config> = {};
  const sent: { name: string; subscribed: boolean | null }[] = [];
  /** Whether an email is skipped is known when it is written. */
  const write = (isWanted: (name: string) => boolean): void => {
    for (const mail of sent) {
      if (mail.subscribed !== null || !isWanted(mail.name)) continue;
      mail.subscribed = contact.subscribed;
      outputs[mail.name] = { skipped: contact.subscribed ? null : 'unsubscribed' };
      if (!contact.subscribed) taken[mail.name] = 'COMPLETED unsubscribed';
    }
  };
  const holds = ({ field, operator, value }: Filter): boolean => {
    const [area = '', first = '', ...path] = field.split('.');
    if (area === 'subscribed') return contact.subscribed === value;
    const roots: Record<string, Config | undefined> = { data: contact.data, context, step: outputs[first] };
    const keys = area === 'step' ? path : [first, ...path];
    const actual = keys.reduce<unknown>((holder, key) => (holder as Config | undefined)?.[key], roots[area]);
    switch (operator) {
      case 'occurred':
        return keys[0] === 'skipped' && actual === 'unsubscribed';
      case 'notOccurred':
        return actual !== 'unsubscribed';
      case 'exists':
        return actual !== undefined && actual !== null;
      case 'notExists':
        return actual === undefined || actual === null;
      default:
        return actual === value;
    }
  };
  const matches = ({ logic, groups }: FilterTree): boolean => {
    const each = groups.map(
      ({ filters, conditions }) => filters.every(holds) && (!conditions || matches(conditions)),
    );
    return logic === 'AND' ? each.every(Boolean) : each.some(Boolean);
  };
  const events = happenings.flatMap((each) => (each.kind === 'event' && each.person === index ? [each] : []));
  let anchor = begin.getTime();
  let used: Happening | null = null;
  const end = { status: 'RUNNING', exitReason: null as string | null, at: 'trigger' as string | null };
  let until: number | null = null;
  const next = (name: string, fits: (transition: GivenTransition) => boolean): void => {
    const found = transitions.find((transition) => transition.from === name && fits(transition));
    end.at = found?.to ?? null;
    if (!found) end.status = 'COMPLETED';
    until = null;
  };
  const isOpen = (): boolean => /^(?:SCHEDULED|WAITING)$/.test(taken[end.at ?? ''] ?? '');
  let isWithdrawn = false;
  const exit = (name: string): void => {
    end.status = 'EXITED';
    end.exitReason = name;
    isWithdrawn = true;
  };
  const first = ({ eventName, where = [] }: Omit<EventExit, 'name'>, now: number) =>
    events.find(
      (each) => each.name === eventName && each.at.getTime() <= now && meets(where, each.data, context),
    );
  /** What has happened by a moment ends it, or has it go on elsewhere. */
  const applyEnds = (now: number): void => {
    const ending = [
      ...goals
        .filter(({ toStep }) => toStep === undefined)
        .map((goal) => ({ ...goal, name: `Goal: ${goal.name}` })),
      ...exits.filter((rule): rule is EventExit => 'eventName' in rule),
    ].flatMap((rule) => {
      const found = first(rule, now);
      return found ? [{ name: rule.name, at: found.at.getTime() }] : [];
    });
    // Of one time the first in the order of the rules.
    const [exiting] = ending.toSorted((a, b) => a.at - b.at);
    if (exiting) {
      if (isOpen() && until !== null && until <= exiting.at) take(now);
      else if (isOpen()) taken[end.at ?? ''] = 'SKIPPED';
      if (end.status !== 'COMPLETED' && end.status !== 'EXITED') exit(exiting.name);
      return;
    }
    const jump = goals
      .flatMap(({ toStep, ...goal }) => {
        const found =
          toStep === undefined || toStep === end.at || taken[toStep] ? undefined : first(goal, now);
        return found ? [{ toStep: toStep ?? null, found }] : [];
      })
      .toSorted((a, b) => a.found.at.getTime() - b.found.at.getTime())
      .at(-1);
    if (!jump) return;
    if (isOpen()) taken[end.at ?? ''] = 'SKIPPED';
    end.at = jump.toStep;
    end.status = 'RUNNING';
    until = null;
    anchor = jump.found.at.getTime();
    used = jump.found;
  };
  /** Takes one step at a moment. @returns whether it went on */
  const take = (now: number): boolean => {
    const name = end.at ?? '';
    const step = name === 'trigger' ? { type: 'TRIGGER' as const, config: {} } : steps[name];
    const config = (step?.config ?? {}) as Config;
    const [before, outcome] = (taken[name] ?? '').split(' ');
    if (before === 'COMPLETED' || before === 'SKIPPED') {
      next(name, ({ branch, waitOutcome }) => {
        if (outcome === undefined || step?.type === 'SEND_EMAIL') return true;
        return step?.type === 'CONDITION'
          ? branch === outcome
          : waitOutcome === undefined || waitOutcome === outcome;
      });
      return true;
    }
    if (step?.type === 'SEND_EMAIL' || step?.type === 'UPDATE_CONTACT') {
      const rule = exits.find((each) => 'condition' in each && matches(each.condition));
      if (rule) {
        exit(rule.name);
        return false;
      }
    }
    switch (step?.type) {
      case 'TRIGGER':
        taken[name] = 'COMPLETED';
        next(name, () => true);
        return true;
      case 'SEND_EMAIL':
        taken[name] = 'COMPLETED';
        sent.push({ name, subscribed: null });
        next(name, () => true);
        return true;
      case 'UPDATE_CONTACT': {
        for (const [key, value] of Object.entries(config['data'] as Config)) {
          const [, variable] = /^\{\{ ?event\.(\w+) ?\}\}$/.exec(String(value)) ?? [];
          const filled = variable === undefined ? value : (context[variable] ?? '');
          if (filled === null) delete contact.data[key];
          else if (filled !== '') contact.data[key] = filled;
        }
        if (config['subscriptionAction'] === 'subscribe') contact.subscribed = true;
        if (config['subscriptionAction'] === 'unsubscribe') contact.subscribed = false;
        taken[name] = 'COMPLETED';
        next(name, () => true);
        return true;
      }
      case 'CONDITION': {
        const ofTrees = treeOf(config);
        if (ofTrees) {
          for (const tree of ofTrees.map(({ tree }) => tree))
            write((mail) => JSON.stringify(tree).includes(`"step.${mail}.`));
          const branch = ofTrees.find(({ tree }) => matches(tree))?.id ?? (config['mode'] ? 'default' : 'no');
          taken[name] = `COMPLETED ${branch}`;
          next(name, (transition) => transition.branch === branch);
          return true;
        }
        const [area, key = ''] = String(config['field']).split('.');
        const actual = area === 'data' ? contact.data[key] : context[key];
        const branches = config['branches'] as { id: string; value: unknown }[] | undefined;
        const branch = branches
          ? (branches.find(({ value }) => value === actual)?.id ?? 'default')
          : actual === config['value']
            ? 'yes'
            : 'no';
        taken[name] = `COMPLETED ${branch}`;
        next(name, (transition) => transition.branch === branch);
        return true;
      }
      case 'DELAY':
        until ??= now + Number(config['amount']) * minute;
        taken[name] = now < until ? 'SCHEDULED' : 'COMPLETED';
        end.status = now < until ? 'WAITING' : 'RUNNING';
        if (now < until) return false;
        anchor = until;
        used = null;
        next(name, () => true);
        return true;
      case 'WAIT_FOR_EVENT': {
        const seconds = config['timeout'];
        if (end.status !== 'WAITING') until = seconds === undefined ? null : now + Number(seconds) * 1_000;
        const limit = until;
        const awaited = (config['events'] ?? [{ eventName: config['eventName'] }]) as Awaited[];
        const found = events.find(
          (event) =>
            awaited.some(
              (each) => each.eventName === event.name && meets(each.where ?? [], event.data, context),
            ) &&
            event !== used &&
            event.at.getTime() >= anchor &&
            event.at.getTime() <= Math.min(now, limit ?? now),
        );
        if (found) {
          context = { ...context, ...found.data };
          anchor = found.at.getTime();
          used = found;
        } else if (limit !== null && now >= limit) {
          anchor = limit;
          used = null;
        } else {
          taken[name] = 'WAITING';
          end.status = 'WAITING';
          return false;
        }
        const outcome = found ? 'EVENT' : 'TIMEOUT';
        outputs[name] = {
          waitOutcome: outcome,
          ...(found && { eventName: found.name, eventData: found.data }),
        };
        if (!found && config['eventName'] !== undefined) outputs[name]['eventName'] = config['eventName'];
        taken[name] = `COMPLETED ${outcome}`;
        end.status = 'RUNNING';
        next(name, ({ waitOutcome }) => waitOutcome === undefined || waitOutcome === outcome);
        return true;
      }
      default:
        taken[name] = 'COMPLETED';
        end.status = 'EXITED';
        end.exitReason = String(config['reason'])
          .replace('{{event.plan}}', String(context['plan'] ?? ''))
          .trim();
        return false;
    }
  };
  for (const now of [begin, ...happenings.map(({ at }) => at)].map((at) => at.getTime())) {
    if (end.status !== 'COMPLETED' && end.status !== 'EXITED') applyEnds(now);
    while (end.status !== 'COMPLETED' && end.status !== 'EXITED' && take(now));
    // The emails of a moment follow the changes of contacts of that moment.
    write(() => true);
  }
  const isActive = end.status === 'RUNNING' || end.status === 'WAITING';
  return {
    ...end,
    context,
    dueAt: isActive && until !== null ? new Date(until) : null,
    steps: taken,
    emails: sent.map(({ subscribed }) => (subscribed && !isWithdrawn ? 'PENDING' : 'SKIPPED')).sort(),
    contact,
  };
}

interface Awaited {
  eventName: string;
  where?: { property: string; operator: string; value?: unknown }[];
}

const meets = (where: NonNullable<Awaited['where']>, data: Config, context: Config): boolean =>
  where.every(({ property, operator, value }) => {
    const actual = data[property];
    if (operator === 'exists') return actual !== undefined;
    if (operator === 'isAnyOf') return (value as unknown[]).includes(actual);
    const wanted = value === '{{event.plan}}' ? context['plan'] : value;
    return wanted !== undefined && actual === wanted;
  });

/** The trees of a condition, with the branches that they lead to; null for a condition by a field. */
function treeOf(config: Config): { id: string; tree: FilterTree }[] | null {
  if ('condition' in config) return [{ id: 'yes', tree: config['condition'] as FilterTree }];
  const branches = (config['branches'] ?? []) as { id: string; condition?: FilterTree }[];
  if (!branches.some(({ condition }) => condition)) return null;
  return branches.flatMap(({ id, condition }) => (condition ? [{ id, tree: condition }] : []));
}
