import type { GivenStep, GivenTransition } from './runtime.fixture.ts';

/** A graph, and an interpreter that runs one execution of it alone, written apart from the product's code. */
export interface Model {
  steps: Record<string, GivenStep>;
  transitions: GivenTransition[];
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
function randomOf(seed: number): () => number {
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
        steps[name] = { type: 'WAIT_FOR_EVENT', config: { eventName: pick(names), ...timeout } };
        if (random() < 0.3) leads();
        else {
          leads({ waitOutcome: 'EVENT' });
          leads({ waitOutcome: 'TIMEOUT' });
        }
        break;
      }
      case 'condition': {
        const field = pick(['data.plan', 'event.plan', 'data.stage']);
        if (random() < 0.5) {
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
        const data = pick([{ stage: '{{event.plan}}' }, { stage: pick(plans) }, { plan: null, n: index }]);
        const subscriptionAction = pick(['none', 'none', 'subscribe', 'unsubscribe']);
        steps[name] = { type: 'UPDATE_CONTACT', config: { data, subscriptionAction } };
        leads();
        break;
      }
      case 'exit':
        steps[name] = { type: 'EXIT', config: { reason: `left at ${name}` } };
    }
  }
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
    return { kind: 'event', at, person: below(count), name: pick(names), data };
  });
  const model = { steps, transitions };
  return {
    model,
    people,
    happenings,
    begin,
    interpret: (person) => interpret(model, person, people.indexOf(person), begin, happenings),
  };
}

type Config = Record<string, unknown>;

/** Runs one execution from event to event, a step at a time. */
function interpret(
  { steps, transitions }: Model,
  person: Person,
  index: number,
  begin: Date,
  happenings: readonly Happening[],
): Outcome {
  const contact = { data: { ...person.data }, subscribed: person.subscribed };
  let context: Record<string, unknown> = { ...person.context };
  const taken: Record<string, string> = {};
  const sent: { at: number; subscribed: boolean }[] = [];
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
  /** Takes one step at a moment. @returns whether it went on */
  const take = (now: number): boolean => {
    const name = end.at ?? '';
    const step = name === 'trigger' ? { type: 'TRIGGER' as const, config: {} } : steps[name];
    const config = (step?.config ?? {}) as Config;
    switch (step?.type) {
      case 'TRIGGER':
        taken[name] = 'COMPLETED';
        next(name, () => true);
        return true;
      case 'SEND_EMAIL':
        taken[name] = 'COMPLETED';
        sent.push({ at: now, subscribed: contact.subscribed });
        mails.push(name);
        next(name, () => true);
        return true;
      case 'UPDATE_CONTACT': {
        for (const [key, value] of Object.entries(config['data'] as Config)) {
          const filled = value === '{{event.plan}}' ? (context['plan'] ?? '') : value;
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
        const found = events.find(
          (event) =>
            event.name === config['eventName'] &&
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
        taken[name] = `COMPLETED ${outcome}`;
        end.status = 'RUNNING';
        next(name, ({ waitOutcome }) => waitOutcome === undefined || waitOutcome === outcome);
        return true;
      }
      default:
        taken[name] = 'COMPLETED';
        end.status = 'EXITED';
        end.exitReason = String(config['reason']);
        return false;
    }
  };
  const mails: string[] = [];
  for (const now of [begin, ...happenings.map(({ at }) => at)].map((at) => at.getTime())) {
    const before = sent.length;
    while (end.status !== 'COMPLETED' && end.status !== 'EXITED' && take(now));
    // The emails of a moment follow the changes of contacts of that moment.
    for (let each = before; each < sent.length; each += 1) {
      const mail = sent[each];
      if (mail) mail.subscribed = contact.subscribed;
      if (!contact.subscribed) taken[mails[each] ?? ''] = 'COMPLETED unsubscribed';
    }
  }
  const isActive = end.status === 'RUNNING' || end.status === 'WAITING';
  return {
    ...end,
    context,
    dueAt: isActive && until !== null ? new Date(until) : null,
    steps: taken,
    emails: sent.map(({ subscribed }) => (subscribed ? 'PENDING' : 'SKIPPED')).sort(),
    contact,
  };
}
