import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { createGoal, deleteGoal } from '../../goals/index.ts';
import { content, people, withoutHints } from '../campaigns.fixture.ts';
import { createCampaign } from '../create-campaign.ts';
import { listCampaigns } from '../list-campaigns.ts';
import { preflightCampaign } from '../preflight-campaign.ts';
import { preflightDraft } from '../preflight-draft.ts';
import { sendCampaign } from '../send-campaign.ts';
import { testCampaign } from '../test-campaign.ts';
import { updateCampaign } from '../update-campaign.ts';
import { adviseTest } from './advise-test.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = withoutHints(await createTestServices());
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const base = { ...content, audienceType: 'ALL' };
const create = (input: object) => createCampaign.runRaw(project.ctx, { ...base, ...input });
const comparing = (...variants: object[]) => ({ test: { variants } });
const goal = (value: object | null = null) =>
  createGoal.runRaw(project.ctx, { name: `Purchase ${value === null}`, eventName: 'order.paid', value });

describe('a test', () => {
  it('has defaults, and keeps the fields in which a variant differs', async () => {
    const { test: stored } = await create(comparing({ subject: 'Other', preheader: null }));
    expect(stored).toEqual({
      variants: [{ subject: 'Other', preheader: null }],
      ...{ sample: 20, metric: 'CLICKS', hours: 4, decide: 'AUTOMATIC' },
      ...{ state: null, startedAt: null, endsAt: null, decidedAt: null },
      ...{ winner: null, decidedBy: null, proven: null, mismatch: false },
    });
  });

  it('is replaced with the campaign, and cleared by a replacement without one', async () => {
    const design = { version: 1, content: {} };
    const { id, test: first } = await create(comparing({ body: '<p>B</p>', design }));
    expect(first?.variants).toEqual([{ body: '<p>B</p>', design }]);
    const update = (input: object) => updateCampaign.runRaw(project.ctx, { id, ...base, ...input });
    // A design stays while the body does.
    expect((await update(comparing({ body: '<p>B</p>' }))).test?.variants).toEqual([
      { body: '<p>B</p>', design },
    ]);
    expect((await update(comparing({ body: '<p>C</p>' }))).test?.variants).toEqual([
      { body: '<p>C</p>', design: null },
    ]);
    const [listed] = (await listCampaigns.runRaw(project.ctx, {})).data;
    expect(listed?.test?.variants).toEqual([{ body: '<p>C</p>' }]);
    expect((await update({})).test).toBeNull();
  });

  it.each<[string, object, string, string]>([
    ['no variant', { test: { variants: [] } }, 'test.variants', 'too_small'],
    [
      'eight of them',
      comparing(...Array.from({ length: 8 }, () => ({ subject: 'x' }))),
      'test.variants',
      'too_big',
    ],
    ['a variant without a difference', comparing({}), 'test.variants.0', 'required'],
    [
      'a design without its body',
      comparing({ subject: 'x', design: {} }),
      'test.variants.0.body',
      'required',
    ],
    [
      'a sender of another domain',
      comparing({ subject: 'x' }, { from: 'a@other.test' }),
      'test.variants.1.from',
      'custom',
    ],
    [
      'a template error',
      comparing({ subject: 'x' }, { body: '<p>{{ a </p>' }),
      'test.variants.1.body',
      'template_syntax',
    ],
    ['U+0000', comparing({ subject: 'a\u0000b' }), 'test.variants.0.subject', 'custom'],
    [
      'an unknown field',
      comparing({ subject: 'x', type: 'HEADLESS' }),
      'test.variants.0.type',
      'unsupported_field',
    ],
    ['a sample of 0', { test: { variants: [{ subject: 'x' }], sample: 0 } }, 'test.sample', 'too_small'],
    ['15 days', { test: { variants: [{ subject: 'x' }], hours: 337 } }, 'test.hours', 'too_big'],
    ['a goal without one', { test: { variants: [{ subject: 'x' }], metric: 'GOAL' } }, 'goalId', 'required'],
    ['waves', { ...comparing({ subject: 'x' }), pace: { careful: true } }, 'pace.careful', 'custom'],
  ])('with %s is refused at its field', async (_what, input, field, code) =>
    expect(create(input)).rejects.toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ field, code })]),
    }),
  );

  it('of a goal needs one of the project, and of revenue one with a value', async () => {
    const plain = await goal();
    const valued = await goal({ property: 'amount', currency: 'EUR' });
    const by = (metric: string, goalId: string) =>
      create({ test: { variants: [{ subject: 'x' }], metric }, goalId });
    expect(await by('GOAL', plain.id)).toMatchObject({ goalId: plain.id, test: { metric: 'GOAL' } });
    await expect(by('REVENUE', plain.id)).rejects.toMatchObject({
      errors: [{ field: 'test.metric', code: 'custom' }],
    });
    expect(await by('REVENUE', valued.id)).toMatchObject({ test: { metric: 'REVENUE' } });
    const other = await createTestProject(test.services);
    const { id: foreign } = await createGoal.runRaw(other.ctx, { name: 'Theirs', eventName: 'order.paid' });
    await expect(by('GOAL', foreign)).rejects.toMatchObject({
      errors: [expect.objectContaining({ field: 'goalId', code: 'unknown_reference' })],
    });
    await expect(deleteGoal.run(project.ctx, { id: plain.id })).rejects.toMatchObject({
      ...{ code: 'CONFLICT', details: { usedBy: { campaigns: [{ name: content.name }] } } },
    });
  });

  it('has no local time, whichever comes second', async () => {
    await people(test, project, 1);
    const localTime = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
    const refused = (field: string) => ({ errors: [expect.objectContaining({ field, code: 'custom' })] });
    const { id } = await create(comparing({ subject: 'Other' }));
    const sending = sendCampaign.run(project.ctx, { id, localTime });
    await expect(sending).rejects.toMatchObject(refused('localTime'));
    const plain = await create({});
    await sendCampaign.run(project.ctx, { id: plain.id, localTime });
    const changed = { id: plain.id, ...base, ...comparing({ subject: 'Other' }) };
    await expect(updateCampaign.runRaw(project.ctx, changed)).rejects.toMatchObject(refused('test'));
  });

  it('is part of the hash, without its designs', async () => {
    const hashOf = async (input: object) =>
      (await preflightDraft.runRaw(project.ctx, { ...base, ...input })).hash;
    const body = '<p>B</p>';
    const hash = await hashOf(comparing({ body }));
    expect(await hashOf(comparing({ body, design: { version: 2 } }))).toBe(hash);
    expect(await hashOf(comparing({ body: '<p>C</p>' }))).not.toBe(hash);
    expect(await hashOf({})).not.toBe(hash);
  });

  it('whose variant is the same as A, or whose sample is small, is found by the checks', async () => {
    await people(test, project, 10);
    const { id } = await create(comparing({ subject: content.subject }, { subject: 'Other' }));
    const { ok, findings } = await preflightCampaign.run(project.ctx, { id });
    expect(ok).toBe(false);
    expect(findings).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ rule: 'variant_equal', field: 'test.variants.0' }),
        expect.objectContaining({ rule: 'small_sample' }),
      ]),
    );
  });
});

describe('advice on a test', () => {
  it('takes the usual rate where there is no history', async () => {
    await people(test, project, 50);
    const { id } = await create(comparing({ subject: 'Other' }));
    expect(await adviseTest.run(project.ctx, { id })).toMatchObject({
      ...{ audience: 50, baseline: null, sampleNeeded: null, enough: false },
      perVariant: expect.any(Number),
    });
    expect(await adviseTest.run(project.ctx, { id, metric: 'OPENS', lift: 500 })).toMatchObject({
      perVariant: null,
    });
  });
});

it('a test email has the variant that is asked for', async () => {
  const owner = await test.services.database.prisma.user.findUniqueOrThrow({
    where: { id: project.ownerId },
  });
  const { id } = await create(comparing({ subject: 'Other' }));
  const send = async (variant?: 'A' | 'B' | 'C') => {
    const { emailId } = await testCampaign.run(project.ctx, { id, email: owner.email, variant });
    const { contentId } = await test.services.database.prisma.email.findUniqueOrThrow({
      where: { id: emailId },
    });
    return (await test.services.database.prisma.content.findUniqueOrThrow({ where: { id: contentId } }))
      .subject;
  };
  expect(await send()).toBe(`[TEST] ${content.subject}`);
  expect(await send('B')).toBe('[TEST] Other');
  await expect(send('C')).rejects.toMatchObject({ errors: [{ field: 'variant' }] });
});
