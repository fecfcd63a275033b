import type { Services } from '../../../base/kernel/index.ts';
import type { Variables } from '../../../content/templates/language/index.ts';
import { contactVariables } from '../../../mail/message/index.ts';
import type { Member, SetProject } from './member.ts';

/** The variables of a step's texts (behaviour B1.3): the contact, and the execution's context at top level and as `event`. */
export const variablesOf = (
  services: Services,
  { language }: Pick<SetProject, 'language'>,
  { contact, context }: Pick<Member, 'contact' | 'context'>,
): Variables => contactVariables(services, { contact, context, language });
