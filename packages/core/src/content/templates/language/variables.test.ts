import { describe, expect, test } from 'vitest';
import { buildVariables, type VariableSources } from './index.ts';

const sources: VariableSources = {
  contact: { id: 'c1', email: 'kim@example.com', subscribed: true, data: { plan: 'free', city: 'Gent' } },
  project: { language: 'nl' },
  urls: { unsubscribeUrl: 'https://x/u', subscribeUrl: 'https://x/s', manageUrl: 'https://x/m' },
};

function build(more: Partial<VariableSources> = {}): Record<string, unknown> {
  return { ...buildVariables({ ...sources, ...more }) };
}

test('every key of the contact data is at top level and under data', () => {
  const vars = build();
  expect(vars).toMatchObject({ plan: 'free', city: 'Gent', id: 'c1', svc_id: 'c1', subscribed: true });
  expect(vars).toMatchObject({ email: 'kim@example.com', svc_email: 'kim@example.com', locale: 'nl' });
  expect(vars).toMatchObject({ unsubscribeUrl: 'https://x/u', manageUrl: 'https://x/m' });
  expect({ ...(vars.data as object) }).toEqual({ plan: 'free', city: 'Gent' });
});

describe('precedence', () => {
  test('request data wins over contact data, wrapped values count as their value', () => {
    const vars = build({
      requestData: { plan: { value: 'pro', persistent: false }, list: [1, 2], o: { a: 1 } },
    });
    expect(vars).toMatchObject({ plan: 'pro', city: 'Gent', list: [1, 2], o: { a: 1 } });
    expect((vars.data as Record<string, unknown>).plan).toBe('pro');
  });

  test('an empty string counts as omitted, null removes the value', () => {
    const vars = build({ requestData: { plan: '', city: null } });
    expect(vars.plan).toBe('free');
    expect(vars).not.toHaveProperty('city');
  });

  test('system names win over everything; reserved keys are dropped', () => {
    const bad = { id: 'x', email: 'x', svc_id: 'x', svc_email: 'x', subscribed: 'x', manageUrl: 'x' };
    const vars = build({ contact: { ...sources.contact, data: bad }, requestData: bad, context: bad });
    expect(vars).toMatchObject({ id: 'c1', email: 'kim@example.com', svc_id: 'c1', subscribed: true });
    expect(vars.manageUrl).toBe('https://x/m');
    expect({ ...(vars.data as object) }).toEqual({ subscribed: true });
  });

  test('the context of a workflow wins over contact data and is also event', () => {
    const context = { plan: 'gold', total: 3 };
    expect(build({ context })).toMatchObject({ plan: 'gold', total: 3, city: 'Gent', event: context });
    expect(build({ contact: { ...sources.contact, data: { event: 'own' } } }).event).toBe('own');
  });

  test('the name of the recipient, unless the request has one', () => {
    const contact = { ...sources.contact, data: { name: 'Stored' } };
    expect(build({ contact, requestName: 'Given' })).toMatchObject({ name: 'Given' });
    expect(build({ contact, requestName: 'Given', requestData: { name: 'Data' } })).toMatchObject({
      name: 'Data',
    });
    expect(build({ contact, requestName: 'Given', requestData: { name: '' } })).toMatchObject({
      name: 'Given',
    });
  });

  test('locale is that of the data, else the language of the project', () => {
    const contact = { ...sources.contact, data: { locale: 'pt-BR' } };
    expect(build({ contact }).locale).toBe('pt-BR');
    expect(build().locale).toBe('nl');
  });
});

test('inherited properties cannot be reached', () => {
  const vars = buildVariables({ ...sources, requestData: JSON.parse('{"__proto__": {"a": 1}}') });
  for (const object of [vars, vars.data]) {
    expect(['constructor', 'toString'].filter((name) => name in (object as object))).toEqual([]);
  }
  expect(vars.a).toBeUndefined();
});
