/** How a caller's `data` object is read wherever one is accepted: contacts, events and template variables. */

/** Keys that templates and events define themselves; a caller's value for one is dropped without an error (behaviour B2.1). */
export const reservedDataKeys: ReadonlySet<string> = new Set([
  'id',
  'svc_id',
  'svc_email',
  'email',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
]);

/** JavaScript would treat this key as the prototype, so no data has it. */
export const impossibleDataKey = '__proto__';

/** A value with instructions: `{value, persistent}`. Whether `persistent` is a boolean is for the validation to say. */
export interface WrappedValue {
  persistent: unknown;
  value?: unknown;
}

/** Whether a value of `data` has the form `{value, persistent}`; any other object is a plain value. */
export const isWrappedValue = (value: unknown): value is WrappedValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'persistent');

/** The value itself, without its `{value, persistent}` wrapper. */
export const unwrapValue = (value: unknown): unknown => (isWrappedValue(value) ? value.value : value);
