import type { Variables } from '../../../content/templates/language/index.ts';
import { contactVariables } from '../../../mail/message/index.ts';
import type { StepContext } from './step-result.ts';

/** The variables of a step's texts (behaviour B1.3): the contact, and the execution's context at top level and as `event`. */
export const variablesOf = ({ services, state }: StepContext): Variables =>
  contactVariables(services, {
    contact: state.contact,
    context: state.context,
    language: state.language,
  });
