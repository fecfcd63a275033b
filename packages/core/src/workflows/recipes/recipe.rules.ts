import type { WaitOutcome } from '../steps/step.rules.ts';
import type { StepConfigInputs, StepType } from '../steps/steps.schema.ts';

/** An email that a recipe writes as a template. */
export interface RecipeEmail {
  subject: string;
  preheader: string;
  /** HTML, a Liquid template */
  body: string;
}

type Step<Type extends StepType> = Type extends 'TRIGGER'
  ? never
  : {
      /** unique in the recipe; `trigger` is the TRIGGER step */
      key: string;
      type: Type;
      name: string;
      config: StepConfigInputs[Type];
    } & (Type extends 'SEND_EMAIL' ? { email: RecipeEmail } : { email?: never });

export type RecipeStep = { [Type in StepType]: Step<Type> }[StepType];

export interface RecipeTransition {
  from: string;
  to: string;
  branch?: string;
  waitOutcome?: WaitOutcome;
}

/** A workflow to start from. */
export interface Recipe {
  name: string;
  /** what it is for, one sentence */
  description: string;
  /** the event that starts it */
  eventName: string;
  /** what has to be tracked for it to work, one sentence */
  needs: string;
  allowReentry: boolean;
  steps: readonly RecipeStep[];
  transitions: readonly RecipeTransition[];
}

/** The body of a plain email: a greeting and paragraphs. */
export const letter = (...paragraphs: readonly string[]): string =>
  ['Hi {{first_name ?? there}},', ...paragraphs].map((text) => `<p>${text}</p>`).join('\n');
