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
  goals?: WorkflowGoal[];
  exits?: ExitRule[];
  steps: DocumentStep[];
  transitions: DocumentTransition[];
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
  where?: Condition[];
  /** A filter tree. `segment:<slug>` names a segment. */
  condition?: FilterTree;
}

/** A condition on the data of an event. */
export interface Condition {
  property: string;
  operator: string;
  value?: unknown;
  unit?: 'days' | 'hours' | 'minutes';
}

export interface FilterTree {
  logic: 'AND' | 'OR';
  groups: {
    filters?: ({ field: string; operator: string } & Record<string, unknown>)[];
    conditions?: FilterTree;
  }[];
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

export interface WorkflowOptions {
  trigger: Trigger;
  description?: string;
  /** Whether a contact may run through it more than once. Default false. */
  allowReentry?: boolean;
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

  /** Sends a template to the contact, or to another address. */
  email(key: string, config: Config = {}, ways: readonly Way[] = [], options: StepOptions = {}): Chain {
    return this.step('SEND_EMAIL', key, config, ways, options);
  }

  /** Waits for a time. */
  delay(key: string, config: Config, ways: readonly Way[] = [], options: StepOptions = {}): Chain {
    return this.step('DELAY', key, config, ways, options);
  }

  /** Waits for an event. What follows may depend on the outcome, `EVENT` or `TIMEOUT`. */
  wait(key: string, config: Config, ways: readonly Way[] = [], options: StepOptions = {}): Chain {
    return this.step('WAIT_FOR_EVENT', key, config, ways, options);
  }

  /** Takes one of several branches. */
  condition(key: string, config: Config, ways: readonly Way[] = [], options: StepOptions = {}): Chain {
    return this.step('CONDITION', key, config, ways, options);
  }

  /** Sends a request to another service. */
  webhook(key: string, config: Config, ways: readonly Way[] = [], options: StepOptions = {}): Chain {
    return this.step('WEBHOOK', key, config, ways, options);
  }

  /** Changes the contact. */
  update(key: string, config: Config, ways: readonly Way[] = [], options: StepOptions = {}): Chain {
    return this.step('UPDATE_CONTACT', key, config, ways, options);
  }

  /** Ends the execution. */
  exit(key: string, config: Config = {}, ways: readonly Way[] = [], options: StepOptions = {}): Chain {
    return this.step('EXIT', key, config, ways, options);
  }

  /** A step of any type. */
  step(
    type: string,
    key: string,
    config: Config = {},
    ways: readonly Way[] = [],
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
    for (const [way, build] of ways)
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

/** A workflow as a document. `build` gets the trigger, to which the first step is connected. */
export function workflow(
  name: string,
  { trigger, description, allowReentry, goals, exits }: WorkflowOptions,
  build: (w: Chain) => unknown = () => undefined,
): WorkflowDocument {
  const document: WorkflowDocument = {
    format: 'postrider-workflow/1',
    name,
    ...(description === undefined ? {} : { description }),
    trigger,
    ...(allowReentry === undefined ? {} : { allowReentry }),
    ...(goals === undefined ? {} : { goals }),
    ...(exits === undefined ? {} : { exits }),
    steps: [],
    transitions: [],
  };
  build(new Chain(document, { from: 'trigger' }));
  return document;
}

/** The trigger by an event of a contact. */
export const event = (eventName: string): Trigger => ({ type: 'EVENT', eventName });

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

/** An exit rule by a filter tree. */
export const exitWhen = (name: string, condition: FilterTree): ExitRule => ({ name, condition });

/** The trigger by a request. */
export const manual = (): Trigger => ({ type: 'MANUAL' });

/** The trigger by a schedule: five fields of cron, an IANA time zone, and `segment:<slug>` of the segment whose members enter. */
export const schedule = (given: { cron: string; timezone?: string; segment?: string }): Trigger => ({
  type: 'SCHEDULE',
  ...given,
});
