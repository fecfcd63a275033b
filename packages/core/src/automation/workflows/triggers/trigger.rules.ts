import type { z } from 'zod';

/** A trigger's configuration as stored: only the fields of its type, those that were given or have a default. */
export type TriggerConfig = Readonly<Record<string, unknown>>;

/** The definition of one type of trigger, for all sides. How it starts executions is in `runtime`. */
export interface TriggerDefinition<
  Type extends string = string,
  Fields extends z.ZodRawShape = z.ZodRawShape,
> {
  readonly type: Type;
  /** its displayed name */
  readonly label: string;
  /** Its fields of `triggerConfig` in a request. All are optional: a trigger may be incomplete while the workflow is disabled. */
  readonly fields: Fields;
  /** the field without which it can never start an execution */
  readonly needed: string | null;
  /** what is stored for a field that is not given */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** what the TRIGGER step is named after; undefined while that is not configured */
  subject(config: TriggerConfig): string | undefined;
  /** the names of the events that start executions */
  events(config: TriggerConfig): string[];
  /** whether it needs a schedule of Temporal */
  readonly isScheduled: boolean;
  /**
   * What a configuration refers to, in the form of the `reads` columns: `event.<name>`, `segment.<id>`. A segment must exist when it is
   * configured, and cannot be deleted while it is referred to.
   */
  reads(config: TriggerConfig): string[];
}

/** Defines a type of trigger. `npm run gen trigger <name>` generates a new one. */
export const defineTrigger = <const Type extends string, Fields extends z.ZodRawShape>(
  definition: TriggerDefinition<Type, Fields> & OfFields<NoInfer<keyof Fields>>,
): TriggerDefinition<Type, Fields> => definition;

interface OfFields<Field> {
  needed: Field | null;
  defaults: { readonly [Each in Field & string]?: unknown };
}

/** A field of a stored configuration if it is a text. */
export function textIn(config: TriggerConfig, field: string): string | undefined {
  const value = config[field];
  return typeof value === 'string' ? value : undefined;
}
