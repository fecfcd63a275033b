import { checkContent, type Finding, isContentRule } from '@postrider/core/automation/preflight/contract';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enterAddress } from './agent-attempts.ts';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** The checks before sending (behaviour B13.2): what is planted is found alike by the editor, by each door and by the gate. */
let test: TestApp;
let projectId: string;
let send: Send;

const from = 'news@shop.test';
const words = '<p>This month there are three new things, and each of them has a page of its own.</p>';
const link = '<a href="https://shop.postrider.dev/may">Read more</a>';
const image = '<img src="https://shop.postrider.dev/may.png" alt="Three boxes" width="300">';
const good = {
  name: 'May',
  subject: 'News for {{firstName ?? "you"}}',
  preheader: 'What is new in May',
  body: words + link + image,
  from,
  audienceType: 'ALL',
  pace: { careful: true },
};

beforeAll(async () => {
  test = await startApp();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  // The network of the machine says nothing about domains of tests.
  Object.assign(test.services.dns, { txt: async () => ({ kind: 'unanswered' }) });
});
afterAll(() => test.close());
beforeEach(async () => {
  const project = await createTestProject(test.services);
  projectId = project.id;
  send = test.withKey(project.secretKey);
  await verifiedDomain(test.services, projectId, 'shop.test');
  await enterAddress(test, projectId);
  await test.services.database.prisma.project.update({
    where: { id: projectId },
    data: { sendGate: 'STRICT' },
  });
  await send('POST', '/contacts', {
    ...{ email: 'ann@people.test', subscribed: true, data: { firstName: 'Ann', plan: 'gold' } },
  });
  await test.services.database.prisma.contact.updateMany({
    where: { projectId },
    data: { consentBasis: 'given' },
  });
});

const body = (html: string) => ({ body: words + html });

/** What is changed in a good campaign, and which rules find it. */
const faults: [rules: string[], change: object][] = [
  // links that lead nowhere
  [['link_target'], body('<a href="">Shop</a>')],
  [['link_target'], body('<a href="#">Shop</a>')],
  [['link_target'], body('<a>Shop</a>')],
  [['link_target'], body('<a href=" ">Shop</a>')],
  [['link_target'], body('<a href="shop.html">Shop</a>')],
  [['link_target'], body('<a href="/sale">Shop</a>')],
  [['link_target'], body('<a href="www.shop.postrider.dev">Shop</a>')],
  [['link_target'], body('<a href="javascript:buy()">Shop</a>')],
  [['link_target'], body('<a href="ftp://shop.postrider.dev/x">Shop</a>')],
  [['link_target'], body('<a href="mailto:">Write</a>')],
  [['link_target'], body('<a href="tel:">Call</a>')],
  [['link_target'], body('<a href="https://">Shop</a>')],
  [['link_target'], body('<a href="https:///x">Shop</a>')],
  [['link_target'], body('<a href="https://a b/">Shop</a>')],
  [['link_target'], body('<a href="#end">End</a>')],
  [['link_target'], body('{% if plan %}<a href="">Shop</a>{% endif %}')],
  [['link_target', 'link_target'], body('<a href="#">One</a> <a href="two">Two</a>')],
  // where they lead
  [['placeholder'], body('<a href="https://example.com/a">Shop</a>')],
  [['placeholder'], body('<a href="https://www.example.org">Shop</a>')],
  [['placeholder'], body('<a href="http://localhost:3000/">Shop</a>')],
  [['placeholder'], body('<a href="http://127.0.0.1/">Shop</a>')],
  [['placeholder'], body('<a href="https://yourdomain.com/">Shop</a>')],
  [['placeholder'], body('<a href="https://your-company.io/">Shop</a>')],
  [['shortened_link'], body('<a href="https://bit.ly/x">Shop</a>')],
  [['shortened_link'], body('<a href="http://tinyurl.com/x">Shop</a>')],
  [['link_text_host'], body('<a href="https://evil.io/x">https://bank.com</a>')],
  [['link_text_host'], body('<a href="https://evil.io/x">www.bank.com/login</a>')],
  [['link_text_host'], body('<a href="https://evil.io/x"><b>bank.com</b></a>')],
  [['link_text'], body('<a href="https://shop.postrider.dev"></a>')],
  [
    ['link_text', 'image_text'],
    body(
      '<a href="https://shop.postrider.dev"><img src="https://shop.postrider.dev/a.png" alt="" width="90"></a>',
    ),
  ],
  // images
  [['image_source'], body('<img src="" alt="A" width="30">')],
  [['image_source'], body('<img alt="A" width="30">')],
  [['image_source'], body('<img src="a.png" alt="A" width="30">')],
  [['image_source'], body('<img src="//shop.postrider.dev/a.png" alt="A" width="30">')],
  [['image_embedded'], body('<img src="data:image/png;base64,AA" alt="A" width="30">')],
  [['image_text'], body('<img src="https://shop.postrider.dev/a.png" width="300">')],
  [['image_text'], body('<img src="https://shop.postrider.dev/a.png" alt="" width="300">')],
  [['image_width'], body('<img src="https://shop.postrider.dev/a.png" alt="A">')],
  // variables
  [['unknown_variable'], body('{{plann}}')],
  [['unknown_variable'], body('{{data.plann}}')],
  [['unknown_variable'], body('{{plann ?? free}}')],
  [['unknown_variable'], body('{{Plan ?? free}}')],
  [['unknown_variable'], body('{% for order in orders %}{{order.title}}{% endfor %}')],
  [['unknown_variable'], body('{% if plann == "gold" %}x{% endif %}')],
  [['unknown_variable'], { subject: 'For {{plann}}' }],
  [['unknown_variable'], { preheader: 'For {{plann ?? you}}' }],
  [['unknown_variable'], { text: 'For {{plann}}' }],
  [['variable_fallback'], body('{{plan}}')],
  [['variable_fallback'], { subject: 'For {{plan}}' }],
  // the whole email
  [['empty'], { body: '<p> </p>' }],
  [['empty'], { body: '<style>p { color: red }</style><title>May</title>' }],
  [['empty'], { body: '{% comment %}Hello{% endcomment %}' }],
  [['little_text'], { body: image }],
  [['little_text'], { body: `<p>May</p>${image}` }],
  [['too_large'], { body: words.repeat(1_400) }],
  [['subject_style'], { subject: 'BIG SALE TODAY' }],
  [['subject_style'], { subject: 'Only today!!' }],
  [['subject_style'], { subject: 'Re: your order' }],
  [['preheader_missing'], { preheader: null }],
  // consent
  [['unsubscribe_missing'], { type: 'HEADLESS' }],
  [['unsubscribe_missing', 'link_target'], { type: 'HEADLESS', ...body('<a href="">Stop</a>') }],
  // the project and its audience
  [
    ['recipients'],
    {
      audienceType: 'FILTERED',
      audienceCondition: {
        logic: 'AND',
        groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'none' }] }],
      },
    },
  ],
];

it('at least 60 faults are planted', () => expect(faults.length).toBeGreaterThanOrEqual(60));

const shown = 'rule level blocks field offset message details';

async function byGraphql(id: string): Promise<Finding[]> {
  const query = `{ campaignPreflight(id: "${id}") { findings { ${shown} } } }`;
  const answer = await send('POST', '/graphql', { query });
  expect(answer.body.errors).toBeUndefined();
  return answer.body.data.campaignPreflight.findings;
}

async function byMcp(id: string): Promise<Finding[]> {
  const params = { name: 'campaigns_preflight', arguments: { id } };
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await send('POST', '/mcp', payload, { accept: 'application/json, text/event-stream' });
  return JSON.parse(answer.body.result.content[0].text).findings;
}

/** As the dashboard does. */
async function inEditor({
  subject,
  preheader,
  body: html,
  text,
  type,
}: Parameters<typeof checkContent>[0]['content']) {
  const { fields } = (await send('GET', '/contacts/fields')).body;
  const known = new Map<string, number>(
    fields.map(({ field, coverage }: { field: string; coverage: number }) => [
      field.replace(/^data\./, ''),
      coverage,
    ]),
  );
  const content = { subject, preheader, body: html, text, type, design: null };
  return checkContent({
    content: { ...content, source: 'contacts', fields: known, rendered: null },
    address: '1 Main Street, London',
  });
}

const stored = async (change: object) => {
  const answer = await send('POST', '/campaigns', { ...good, ...change });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

describe('a planted fault has the same findings in the editor, by REST, GraphQL and MCP, and in the gate', () => {
  it.each(faults.map(([rules, change], index) => ({ name: `${index}: ${rules.join(', ')}`, rules, change })))(
    '$name',
    async ({ rules, change }) => {
      const campaign = await stored(change);
      const { id } = campaign;
      const report = (await send('POST', `/campaigns/${id}/preflight`)).body;
      const findings: Finding[] = report.findings;
      expect(findings.map(({ rule }) => rule)).toEqual(rules);
      expect(report.ok).toBe(findings.every(({ level }) => level !== 'error'));
      const draft = await send('POST', '/campaigns/preflight', { ...good, ...change });
      expect(draft.body.findings, draft.text).toEqual(findings);
      expect(await byGraphql(id)).toEqual(findings);
      expect(await byMcp(id)).toEqual(findings);
      expect(await inEditor(campaign)).toEqual(findings.filter(({ rule }) => isContentRule(rule)));
      const errors = findings.filter(({ level }) => level === 'error');
      if (errors.length === 0) return;
      const refused = await send('POST', `/campaigns/${id}/send`, {});
      if (errors.some(({ blocks }) => blocks)) {
        expect(codeOf(refused)).toBe(errors[0]?.details['code']);
        return;
      }
      expect([refused.status, codeOf(refused)], refused.text).toEqual([409, 'PREFLIGHT_FAILED']);
      expect(refused.body.error.details.findings).toEqual(errors);
      const acknowledge = [...new Set(errors.map(({ rule }) => rule))];
      expect((await send('POST', `/campaigns/${id}/send`, { acknowledge })).status).toBe(200);
    },
  );
});

/** Campaigns as people write them. */
const goodCampaigns: object[] = [
  {},
  { preheader: null },
  { body: '<p>Hello</p>' },
  { body: 'Hello,\n\nthe shop is open again.\nSee you' },
  { body: `<h1>Hi {{firstName}}</h1>${words}` },
  { body: `${words}{{plan ?? "free"}} {% if plan == "gold" %}Thank you{% endif %}` },
  { body: `${words}<a href="mailto:help@postrider.dev">Write</a> <a href="tel:+49301234">Call</a>` },
  { body: `${words}<a href="#end">End</a><h2 id="end">End</h2><a name="top"></a>` },
  { body: `${words}<a href="https://{{plan ?? "www"}}.postrider.dev/">Shop</a>` },
  { body: `${words}<a href="{{manageUrl}}">Choose</a> <a href="{{unsubscribeUrl}}">Stop</a>` },
  { type: 'HEADLESS', body: `${words}<a href="{{unsubscribeUrl}}">Stop</a>` },
  { type: 'TRANSACTIONAL' },
  { subject: '新しいお知らせがあります', body: '<p>こんにちは</p>' },
  { subject: 'NASA news', body: words },
  { body: `<!-- <a href="">old</a> -->${words}` },
  { body: `${words}{% raw %}{{plann}}{% endraw %}` },
  { body: `${words}{% assign tier = plan | default: "free" %}{{tier}}` },
  { body: `<table><tr><td>${words}</td><td>${image}</td></tr></table>` },
  { body: `${words}<img src="{{plan ?? x}}" alt="A" width="30"> <img src="cid:logo" alt="A" width="30">` },
  { text: 'Hello {{firstName ?? there}},\nsee https://shop.postrider.dev/may' },
];

it.each(goodCampaigns)('a good campaign has no error: %j', async (change) => {
  expect(goodCampaigns).toHaveLength(20);
  const { id } = await stored(change);
  const { ok, findings } = (await send('POST', `/campaigns/${id}/preflight`)).body;
  expect(findings.filter(({ level }: Finding) => level === 'error')).toEqual([]);
  expect(ok).toBe(true);
  expect((await send('POST', `/campaigns/${id}/send`, {})).status).toBe(200);
});

it('2,000,000 characters of hostile HTML are answered, while others are', async () => {
  // At most 50,000 outputs and tags are taken.
  const element = '<b><a href="https://x.io/?b=1"><img src="a?b?"></i>&#x27;';
  const piece = `${element.repeat(3)}{% if plan %}{{plann}}{% endif %}`;
  const { id } = await stored({ body: `${words}${piece.repeat(Math.floor(1_990_000 / piece.length))}` });
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const began = performance.now();
  const order: string[] = [];
  const hostile = send('POST', `/campaigns/${id}/preflight`).finally(() => order.push('hostile'));
  for (let n = 0; n < 3; n += 1) {
    expect((await send('GET', '/health/live')).status).toBe(200);
    order.push('other');
  }
  const answer = await hostile;
  const took = performance.now() - began;
  clearInterval(timer);
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  expect(answer.body.findings.length).toBeGreaterThan(1);
  expect(order).toEqual(['other', 'other', 'other', 'hostile']);
  // Measured where nothing else runs: `PREFLIGHT_TIMES=1`.
  if (process.env['PREFLIGHT_TIMES']) console.log({ took, longest });
});
