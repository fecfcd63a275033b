import { eventVariables } from '../../mail-editor/variables/variables.rules.ts';

const named = 8;

/** What may be entered as the data of an event, with the fields that such events had. */
export function eventDataHint(fields: readonly string[], eventName: string | undefined): string {
  const format = 'One field per line. Templates and conditions use them as event.total, for example.';
  const keys = eventVariables(fields).map((name) => name.replace(/^event\./, ''));
  if (keys.length === 0) return format;
  const more = keys.length > named ? ', …' : '';
  return `${format} ${eventName ? `Seen in ${eventName}` : 'Seen in events'}: ${keys.slice(0, named).join(', ')}${more}.`;
}
