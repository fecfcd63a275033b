import { everyType, isEventType } from '@postrider/core/insight/webhook-endpoints/contract';

const shownTypes = 2;
const fieldPrefix = 'type:';

/** The types of an endpoint in a few words: `email.bounce, email.open and 3 more`. */
export function typesInWords(types: readonly string[]): string {
  if (types.includes(everyType)) return 'All';
  const more = types.length - shownTypes;
  const shown = types.slice(0, shownTypes).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The name of the checkbox of a type. */
export const typeField = (type: string): string => `${fieldPrefix}${type}`;

/** The types whose checkboxes are ticked in a submitted form. */
export const tickedTypes = (values: Readonly<Record<string, string>>): string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(fieldPrefix))
    .map((name) => name.slice(fieldPrefix.length));

/** The type that an entered text means: a type as it is, and any other text as the name of an event of the project. */
export function typeNamed(text: string): string | null {
  const name = text.trim();
  if (name === '' || name === everyType) return null;
  return isEventType(name) ? name : `event.${name}`;
}
