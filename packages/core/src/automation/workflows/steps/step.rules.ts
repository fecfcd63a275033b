import type { z } from 'zod';
import type { FilterTree } from '../../../audience/segments/filters.rules.ts';

export type WaitOutcome = 'EVENT' | 'TIMEOUT';

/** One of several ways out of a step. */
export interface Branch {
  id: string;
  name: string;
}

/**
 * The ways out of a step. `branches` are distinguished by the `branch` of a transition, `outcomes` by its
 * `waitOutcome`; a transition without one applies to all outcomes.
 */
export type WaysOut<Config> =
  | { kind: 'none' }
  | { kind: 'one' }
  | { kind: 'branches'; of(config: Config): Branch[] }
  | { kind: 'outcomes'; of(config: Config): WaitOutcome[] };

/** `templateId` is a separate column, so it is not part of a stored configuration. */
type Stored<Config> = Config extends { templateId?: string | null | undefined }
  ? 'templateId' extends keyof Config
    ? Omit<Config, 'templateId'>
    : Config
  : Config;

/** A filter tree in a configuration. */
export interface PlacedTree {
  /** where it is: `condition`, `branches.0.condition` */
  path: string;
  tree: FilterTree;
}

/** The definition of one type of step, for all sides. Its runtime behaviour is in `<type>.run.ts` next to it. */
export interface StepDefinition<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly type: Type;
  /** its displayed name */
  readonly label: string;
  /** its configuration in a request */
  readonly config: Schema;
  /** selects the schema that applies to a configuration when `config` is a union, so that only its problems are reported */
  configFor?(given: unknown): z.ZodType<z.output<Schema>>;
  /** a valid configuration */
  readonly example: z.input<Schema>;
  readonly waysOut: WaysOut<Stored<z.output<Schema>>>;
  /**
   * What a configuration refers to, in the form of the `reads` columns: `data.<key>` (read or written), `topic.<key>`, `event.<name>`,
   * `subscribed`, `email`, `createdAt`, `updatedAt`
   */
  reads(config: Stored<z.output<Schema>>): string[];
  /** its filter trees, whose references are checked on saving */
  trees?(config: Stored<z.output<Schema>>): PlacedTree[];
  /** whether its texts are templates, whose syntax is checked on saving */
  readonly holdsTemplates: boolean;
  /** the part of a configuration whose texts are templates, in its own place; without it, all of them are */
  texts?(config: Stored<z.output<Schema>>): unknown;
}

export type StoredConfig<Definition> =
  Definition extends StepDefinition<string, infer Schema> ? Stored<z.output<Schema>> : never;

/** Defines a type of step. `npm run gen step <name>` generates a new one. */
export const defineStep = <const Type extends string, Schema extends z.ZodType>(
  definition: StepDefinition<Type, Schema>,
): StepDefinition<Type, Schema> => definition;

/** Whether a text is rendered at the step, so that its final form is unknown on saving. */
export const hasTemplateTags = (text: string): boolean => /\{\{|\{%/.test(text);
