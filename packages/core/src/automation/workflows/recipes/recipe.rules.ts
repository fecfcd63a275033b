import type { DesignNode } from '../../../content/templates/contract.ts';
import type { WaitOutcome } from '../steps/step.rules.ts';
import type { StepConfigInputs, StepType } from '../steps/steps.schema.ts';

/** An email that a recipe writes as a template. */
export interface RecipeEmail {
  subject: string;
  preheader: string;
  /** the blocks between the head and the foot of a design */
  content: readonly DesignNode[];
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

const text = (value: string): DesignNode => ({ type: 'text', text: value });

const paragraph = (...content: DesignNode[]): DesignNode => ({ type: 'paragraph', content });

/** A plain email: a greeting, paragraphs, and other blocks between them. */
export const letter = (...parts: readonly (string | DesignNode)[]): DesignNode[] => [
  paragraph(text('Hi '), { type: 'variable', attrs: { expression: 'firstName ?? there' } }, text(',')),
  ...parts.map((part) => (typeof part === 'string' ? paragraph(text(part)) : part)),
];

/** @param href an address, which may begin with a variable */
export const button = (label: string, href: string): DesignNode => ({
  type: 'button',
  attrs: { label, href },
});

export const numbered = (...items: readonly string[]): DesignNode => ({
  type: 'orderedList',
  content: items.map((item) => ({ type: 'listItem', content: [paragraph(text(item))] })),
});
