/**
 * Pure builders of workflow documents (format `postrider-workflow/1`): what they return is what `POST /workflows/import` takes, and what
 * `GET /workflows/:id/export` gives. `GET …/export?format=typescript` writes the calls for a workflow that exists.
 */

export interface WorkflowDocument {
  format: 'postrider-workflow/1';
  name: string;
  description?: string;
  trigger: Trigger;
  allowReentry?: boolean;
  alias?: string;
  entry?: Entry;
  timeZone?: string;
  goals?: WorkflowGoal[];
  exits?: ExitRule[];
  steps: DocumentStep[];
  transitions: DocumentTransition[];
}

/** Who may enter. References in the filter are names, such as `segment:vip`. */
export interface Entry {
  filter?: Record<string, unknown>;
  /** The most entries of a contact. */
  limit?: number;
  /** How long ago its last entry must be. */
  every?: { amount: number; unit: 'hours' | 'days' };
}

/** A goal of the workflow. */
export interface WorkflowGoal {
  /** `goal:<name>` */
  goal: string;
  /** `MEASURE` by default; `EXIT` ends the execution, `JUMP` has it go on at another step. */
  effect?: 'MEASURE' | 'EXIT' | 'JUMP';
  /** Key of the step where a `JUMP` goes on. */
  toStepKey?: string;
}

/** What ends an execution, wherever it is: an event, or a condition that is asked before each step that sends, requests or changes something. */
export interface ExitRule {
  name: string;
  eventName?: string;
  where?: WhereCondition[];
  /** A filter tree. `segment:<slug>` names a segment. */
  condition?: FilterTree;
}

export type Trigger = { type: string } & Record<string, unknown>;

export interface DocumentStep {
  key: string;
  type: string;
  name?: string;
  config: Record<string, unknown>;
  template?: string;
  position?: { x: number; y: number };
}

export interface DocumentTransition {
  from: string;
  to: string;
  branch?: string;
  outcome?: 'EVENT' | 'TIMEOUT';
  priority?: number;
}

export interface StepOptions {
  /** Displayed name. Default the key. */
  name?: string;
  /** `template:<alias>` of an email. */
  template?: string;
  /** Place on the canvas, in pixels. */
  at?: readonly [x: number, y: number];
  /** Order of the connection that leads to it. */
  priority?: number;
}

/** What follows one branch or outcome of a step. */
export type Way = readonly [way: string, build: (chain: Chain) => unknown];

/** What follows the branches or outcomes of a step: `{yes: (y) => …, no: (n) => …}`, or a list in an order of its own. */
export type Ways = readonly Way[] | Readonly<Record<string, (chain: Chain) => unknown>>;

/** A filter, as of segments. In a workflow `field` may also be `context.<path>`, `step.<key>.<path>`, or `step.<key>.opened` and the like. */
export interface Filter {
  field: string;
  operator: string;
  value?: unknown;
  unit?: 'days' | 'hours' | 'minutes';
  where?: WhereCondition[];
  window?: { last?: number; olderThan?: number; unit?: string; from?: string; to?: string };
  times?: { min?: number; max?: number };
  property?: string;
  compare?: string;
}

/** A condition on a property of an event, or of an email. */
export interface WhereCondition {
  property: string;
  operator: string;
  value?: unknown;
  unit?: 'days' | 'hours' | 'minutes';
}

export interface FilterTree {
  logic: 'AND' | 'OR';
  groups: { filters: Filter[]; conditions?: FilterTree }[];
}

/** A filter, or several in a tree. */
export type Condition = Filter | FilterTree;

export interface WorkflowOptions {
  trigger: Trigger;
  description?: string;
  /** Whether a contact may run through it more than once. Default false. */
  allowReentry?: boolean;
  /** Name for programs, unique in the project. */
  alias?: string;
  /** Who may enter. Default anybody. */
  entry?: Entry;
  /** IANA time zone of its delays and dates, for contacts without one. Default that of the project. */
  timeZone?: string;
  /** What is measured, or ends or moves executions: `goal('Purchase', { effect: 'EXIT' })`. */
  goals?: WorkflowGoal[];
  /** What ends executions: `on('order.paid')`. */
  exits?: ExitRule[];
}

type Config = Record<string, unknown>;
type From = Pick<DocumentTransition, 'from' | 'branch' | 'outcome'> | null;

/** The end of a row of steps, to which the next one is connected. */
export class Chain {
  readonly #document: WorkflowDocument;
  #from: From;

  constructor(document: WorkflowDocument, from: From) {
    this.#document = document;
    this.#from = from;
  }

  /** Sends a template (`template:<alias>`) to the contact; with a configuration, to another address. */
  email(key: string, given: string | Config = {}, ways: Ways = [], options: StepOptions = {}): Chain {
    return typeof given === 'string'
      ? this.step('SEND_EMAIL', key, {}, ways, { template: given, ...options })
      : this.step('SEND_EMAIL', key, given, ways, options);
  }

  /** Waits for a time. */
  delay(key: string, config: Config, ways: Ways = [], options: StepOptions = {}): Chain {
    return this.step('DELAY', key, config, ways, options);
  }

  /**
   * Waits for an event: `{eventName, timeout?}`, or for the first of several, `{events: [awaited('order.paid')], timeout?}`. What follows may depend
   * on the outcome, `EVENT` or `TIMEOUT`.
   */
  wait(key: string, config: Config, ways: Ways = [], options: StepOptions = {}): Chain {
    return this.step('WAIT_FOR_EVENT', key, config, ways, options);
  }

  /** Takes the branch `yes` or `no` of a condition; with a configuration, one of several branches. */
  condition(key: string, given: Condition | Config, ways: Ways = [], options: StepOptions = {}): Chain {
    const config = isCondition(given) ? { condition: treeOf(given) } : given;
    return this.step('CONDITION', key, config, ways, options);
  }

  /** Sends a request to another service. */
  webhook(key: string, config: Config, ways: Ways = [], options: StepOptions = {}): Chain {
    return this.step('WEBHOOK', key, config, ways, options);
  }

  /** Changes the contact. */
  update(key: string, config: Config, ways: Ways = [], options: StepOptions = {}): Chain {
    return this.step('UPDATE_CONTACT', key, config, ways, options);
  }

  /** Ends the execution. */
  exit(key: string, config: Config = {}, ways: Ways = [], options: StepOptions = {}): Chain {
    return this.step('EXIT', key, config, ways, options);
  }

  /** A step of any type. */
  step(
    type: string,
    key: string,
    config: Config = {},
    ways: Ways = [],
    { name, template, at, priority }: StepOptions = {},
  ): Chain {
    this.#connect(key, priority);
    this.#document.steps.push({
      key,
      type,
      ...(name === undefined ? {} : { name }),
      config,
      ...(template === undefined ? {} : { template }),
      ...(at === undefined ? {} : { position: { x: at[0], y: at[1] } }),
    });
    const isWait = type === 'WAIT_FOR_EVENT';
    for (const [way, build] of isList(ways) ? ways : Object.entries(ways))
      build(
        new Chain(this.#document, {
          from: key,
          ...(isWait ? { outcome: way as 'EVENT' | 'TIMEOUT' } : { branch: way }),
        }),
      );
    return new Chain(this.#document, { from: key });
  }

  /** Goes on at a step that is part of another row. */
  goTo(key: string, { priority }: Pick<StepOptions, 'priority'> = {}): void {
    this.#connect(key, priority);
  }

  /** Begins a row of steps to which nothing leads. */
  apart(): Chain {
    return new Chain(this.#document, null);
  }

  #connect(to: string, priority: number | undefined): void {
    if (this.#from === null) return;
    this.#document.transitions.push({
      ...this.#from,
      to,
      ...(priority === undefined ? {} : { priority }),
    });
  }
}

const isList = (ways: Ways): ways is readonly Way[] => Array.isArray(ways);

/** A field-by-field comparison is a configuration: it has an operator, but its field is none of filters. */
const isCondition = (given: Condition | Config): given is Condition => isTree(given) || made.has(given);

const isTree = (given: object): given is FilterTree => 'logic' in given && 'groups' in given;

const treeOf = (condition: Condition): FilterTree =>
  isTree(condition) ? condition : { logic: 'AND', groups: [{ filters: [condition] }] };

/** What `filter` has made, which a configuration of a field and an operator looks like. */
const made = new WeakSet<object>();

/** A filter: `filter('event.login', 'occurred', { window: { last: 2, unit: 'days' } })`. */
export function filter(
  field: string,
  operator: string,
  given: Omit<Filter, 'field' | 'operator'> = {},
): Filter {
  const result = { field, operator, ...given };
  made.add(result);
  return result;
}

const joined = (logic: FilterTree['logic'], conditions: readonly Condition[]): FilterTree => ({
  logic,
  groups: conditions.map((each) => (isTree(each) ? { filters: [], conditions: each } : { filters: [each] })),
});

/** Conditions that must all match. */
export const all = (...conditions: readonly Condition[]): FilterTree => joined('AND', conditions);

/** Conditions of which one must match. */
export const any = (...conditions: readonly Condition[]): FilterTree => joined('OR', conditions);

/** A branch of a condition with several: `{mode: 'multi', branches: [branch('pro', 'Pro plan', filter(…))]}`. */
export const branch = (id: string, name: string, condition: Condition) => ({
  id,
  name,
  condition: treeOf(condition),
});

/** A condition on a property. */
export const where = (
  property: string,
  operator: string,
  given: Pick<WhereCondition, 'value' | 'unit'> = {},
): WhereCondition => ({ property, operator, ...given });

/** A property that is equal to a value; for a wait also to a variable: `eq('orderId', '{{event.orderId}}')`. */
export const eq = (property: string, value: unknown): WhereCondition => where(property, 'equals', { value });

/** An event for which a wait waits, with what its data must meet. */
export const awaited = (eventName: string, conditions: readonly WhereCondition[] = []) => ({
  eventName,
  ...(conditions.length === 0 ? {} : { where: [...conditions] }),
});

/** A workflow as a document. `build` gets the trigger, to which the first step is connected. */
export function workflow(
  name: string,
  { trigger, description, allowReentry, alias, entry, timeZone, goals, exits }: WorkflowOptions,
  build: (w: Chain) => unknown = () => undefined,
): WorkflowDocument {
  const document: WorkflowDocument = {
    format: 'postrider-workflow/1',
    name,
    ...(description === undefined ? {} : { description }),
    trigger,
    ...(allowReentry === undefined ? {} : { allowReentry }),
    ...(alias === undefined ? {} : { alias }),
    ...(entry === undefined ? {} : { entry }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(goals === undefined ? {} : { goals }),
    ...(exits === undefined ? {} : { exits }),
    steps: [],
    transitions: [],
  };
  build(new Chain(document, { from: 'trigger' }));
  return document;
}

/** The trigger by an event of a contact, whose data may have to meet conditions. */
export const event = (eventName: string, { where }: { where?: readonly WhereCondition[] } = {}): Trigger => ({
  type: 'EVENT',
  eventName,
  ...(where === undefined ? {} : { where }),
});

/** The trigger by a date of the contact: `data.<key>`, so many days after it, at a time of that day. */
export const date = (given: {
  field: string;
  repeat: 'ONCE' | 'YEARLY';
  offsetDays?: number;
  at?: string;
}): Trigger => ({ type: 'DATE', ...given });

/** The trigger by a new contact. */
export const contact = (
  given: {
    sources?: readonly ('api' | 'track' | 'send' | 'form' | 'import' | 'submission' | 'intake')[];
  } = {},
): Trigger => ({ type: 'CONTACT', ...given });

/** A goal by its name. Without an effect it is only measured. */
export const goal = (name: string, given: Omit<WorkflowGoal, 'goal'> = {}): WorkflowGoal => ({
  goal: `goal:${name}`,
  ...given,
});

/** An exit rule by an event, and conditions on its data. Its name is that of the event by default. */
export const on = (
  eventName: string,
  { name = eventName, where }: Partial<Pick<ExitRule, 'name' | 'where'>> = {},
): ExitRule => ({ name, eventName, ...(where === undefined ? {} : { where }) });

/** An exit rule by a condition. */
export const exitWhen = (name: string, condition: Condition): ExitRule => ({
  name,
  condition: treeOf(condition),
});

/** The trigger by a request. */
export const manual = (): Trigger => ({ type: 'MANUAL' });

/** The trigger by a schedule: five fields of cron, an IANA time zone, and `segment:<slug>` of the segment whose members enter. */
export const schedule = (given: {
  cron: string;
  timezone?: string;
  segment?: string;
  /** In place of the segment: the contacts that match. References are names. */
  filter?: Record<string, unknown>;
}): Trigger => ({
  type: 'SCHEDULE',
  ...given,
});
