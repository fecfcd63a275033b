import type { z } from 'zod';

export type WaitOutcome = 'EVENT' | 'TIMEOUT';

/** One of several ways out of a step. */
export interface Branch {
  id: string;
  name: string;
}

/**
 * How a step leads on. `branches` are told apart by the `branch` of a transition. `outcomes` by its `waitOutcome`; a transition
 * without one serves them all.
 */
export type WaysOut<Config> =
  | { kind: 'none' }
  | { kind: 'one' }
  | { kind: 'branches'; of(config: Config): Branch[] }
  | { kind: 'outcomes'; of(config: Config): WaitOutcome[] };

/** `templateId` is a column of its own, so it is not part of a stored configuration. */
type Stored<Config> = Config extends { templateId?: string | null | undefined }
  ? 'templateId' extends keyof Config
    ? Omit<Config, 'templateId'>
    : Config
  : Config;

/** What every side knows about one type of step. What it does at run time is in `<type>.run.ts` beside it. */
export interface StepDefinition<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly type: Type;
  /** its name for people */
  readonly label: string;
  /** its configuration as a caller gives it */
  readonly config: Schema;
  /** the one of several schemas by which a configuration is checked, where `config` is a union: only its problems are reported */
  configFor?(given: unknown): z.ZodType<z.output<Schema>>;
  /** a configuration that is accepted */
  readonly example: z.input<Schema>;
  readonly waysOut: WaysOut<Stored<z.output<Schema>>>;
  /**
   * What a configuration names, in the words of the `reads` columns: `data.<key>` (read or written), `event.<name>`, `subscribed`,
   * `email`, `createdAt`, `updatedAt`
   */
  reads(config: Stored<z.output<Schema>>): string[];
  /** whether its texts are templates, whose syntax is checked when it is saved */
  readonly holdsTemplates: boolean;
}

export type StoredConfig<Definition> =
  Definition extends StepDefinition<string, infer Schema> ? Stored<z.output<Schema>> : never;

/** Defines a type of step. `npm run gen step <name>` stamps a new one. */
export const defineStep = <const Type extends string, Schema extends z.ZodType>(
  definition: StepDefinition<Type, Schema>,
): StepDefinition<Type, Schema> => definition;

/** Whether a text is filled in at the step, so that its final form is not known when it is saved. */
export const hasTemplateTags = (text: string): boolean => /\{\{|\{%/.test(text);
