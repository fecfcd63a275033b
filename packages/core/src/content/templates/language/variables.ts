import { reservedDataKeys, unwrapValue } from '../../../base/lib/data-values.rules.ts';
import type { Variables } from './parse-template.ts';

/** Sources of the variables of one email. */
export interface VariableSources {
  readonly contact: {
    readonly id: string;
    readonly email: string;
    readonly subscribed: boolean;
    readonly data: Readonly<Record<string, unknown>>;
  };
  /** `data` of `/v1/send`, as given. */
  readonly requestData?: Readonly<Record<string, unknown>> | null;
  /** The `name` of `to: {name, email}`. */
  readonly requestName?: string | null;
  /** The context of a workflow execution. */
  readonly context?: Readonly<Record<string, unknown>> | null;
  readonly project: { readonly language: string };
  readonly urls: {
    readonly unsubscribeUrl: string;
    readonly subscribeUrl: string;
    readonly manageUrl: string;
    /** Only in the email that asks to confirm a subscription (behaviour B12.5); elsewhere the name is one of the data. */
    readonly confirmUrl?: string | undefined;
  };
}

/**
 * The variables of one email: system names over the request's data (or the execution's context) over the contact's
 * data; every key at top level and as `data.<key>`. The objects made here inherit nothing.
 */
export function buildVariables(sources: VariableSources): Variables {
  const { contact, project, urls } = sources;
  const data = emptyVariables();
  addKeys(data, contact.data);
  if (sources.context) addKeys(data, sources.context);
  if (sources.requestData) addRequestData(data, sources.requestData);
  if (sources.requestName && !hasName(sources.requestData)) data.name = sources.requestName;

  const vars = emptyVariables();
  for (const key in data) vars[key] = data[key];
  // `data.<key>` has the same value as the top level.
  const set = (name: string, value: unknown): void => {
    if (name in data) data[name] = value;
    vars[name] = value;
  };
  set('id', contact.id);
  set('email', contact.email);
  set('svc_id', contact.id);
  set('svc_email', contact.email);
  set('subscribed', contact.subscribed);
  set('unsubscribeUrl', urls.unsubscribeUrl);
  set('subscribeUrl', urls.subscribeUrl);
  set('manageUrl', urls.manageUrl);
  if (urls.confirmUrl !== undefined) set('confirmUrl', urls.confirmUrl);
  if (sources.context) set('event', sources.context);
  if (typeof data.locale !== 'string' || data.locale === '') set('locale', project.language);
  vars.data = data;
  return vars;
}

/** An object without keys of its own or inherited ones; `Object.create(null)` would make a hash table, which costs more. */
const emptyVariables = (): Variables => new (EmptyVariables as unknown as new () => Variables)();

function EmptyVariables(): void {
  // The keys follow.
}
EmptyVariables.prototype = Object.freeze(Object.create(null));

function addKeys(target: Variables, source: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(source)) {
    if (!reservedDataKeys.has(key)) target[key] = source[key];
  }
}

/** An empty string counts as not given, null removes the contact's value, `{value, persistent}` is unwrapped. */
function addRequestData(target: Variables, source: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(source)) {
    if (reservedDataKeys.has(key)) continue;
    const value = unwrapValue(source[key]);
    if (value === '' || value === undefined) continue;
    if (value === null) delete target[key];
    else target[key] = value;
  }
}

function hasName(data: Readonly<Record<string, unknown>> | null | undefined): boolean {
  if (!data || !Object.hasOwn(data, 'name')) return false;
  return !['', null, undefined].includes(unwrapValue(data.name) as string | null | undefined);
}
