import { describe, expect, it } from 'vitest';
import { eventVariables, sampleData } from './variables.rules.ts';

it('variables of events are the fields that Liquid reads without brackets', () =>
  expect(
    eventVariables(['contact.email', 'data.event.x', 'event.plan', 'event.first name', 'event.a-b']),
  ).toEqual(['event.plan', 'event.a-b']));

describe('sample values for the variables of an email', () => {
  it.each<[string, Record<string, unknown>]>([
    ['Welcome, {{first_name ?? there}}: {{ plan }}', { first_name: 'Ada', plan: 'Example plan' }],
    ['{{- data.city | upcase -}}', { city: 'Example city' }],
    ["{{plan ?? free}} {{tier | default: 'gold'}}", { plan: 'free', tier: 'gold' }],
    ['{{order.number}} {{order.buyer.name}}', { order: { number: 3, buyer: { name: 'Ada' } } }],
    ['{% if seats > 40 and team.plan == "pro" %}Hi{% endif %}', { seats: 3, team: { plan: 'Example plan' } }],
    [
      '{% for item in order.items %}{{item.title}} {{forloop.index}}{% endfor %}',
      { order: { items: [{ title: 'Example title' }] } },
    ],
    ['{% for tag in tags %}{{tag}}{% endfor %}', { tags: ['Example tags'] }],
    ['{% assign greeting = "Hello" %}{{greeting}} {% capture note %}x{% endcapture %}{{note}}', {}],
    ['{{email}} {{unsubscribeUrl}} {{data.locale}} {{event.kind}} {% if subscribed %}{% endif %}', {}],
    ['No variables, only { braces }', {}],
  ])('%s', (source, data) => expect(sampleData([source])).toEqual(data));

  it('are those of all texts together, each once', () =>
    expect(sampleData(['{{plan}}', '<p>{{plan}} {{user.city}}</p>', '{{user.zip}}'])).toEqual({
      plan: 'Example plan',
      user: { city: 'Example city', zip: 'Example zip' },
    }));

  it('do not depend on earlier names of another text', () =>
    expect(sampleData(['{% assign code = 1 %}', '{{code}}'])).toEqual({ code: 'Example code' }));
});
