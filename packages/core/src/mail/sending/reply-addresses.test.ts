import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemplate, updateTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { getEmail } from './get-email.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(() => test.close());

const from = 'team@shop.test';
const message = { to: 'ann@people.test', from, subject: 'S', body: 'B' };
const template = { name: 'T', subject: 'S', body: 'B', from };
const list = '"Help, now" <a@shop.test>, b@shop.test';

const replyToOf = async (body: object) => {
  const { emails } = await sendEmail.runRaw(project.ctx, { ...message, ...body });
  return (await getEmail.runRaw(project.ctx, { id: emails[0]?.email })).replyTo;
};

describe('the addresses for replies', () => {
  it.each([
    ['A@Shop.test', 'a@shop.test'],
    ['Help <a@shop.test>', 'a@shop.test'],
    [{ name: 'Help', email: 'a@shop.test' }, 'a@shop.test'],
    [['a@shop.test'], 'a@shop.test'],
    [list, list],
    [[{ name: 'Help, now', email: 'A@shop.test' }, 'b@shop.test'], list],
    [['Jörg <a@shop.test>', 'b@shop.test'], 'Jörg <a@shop.test>, b@shop.test'],
  ])('%j are %j, which is taken back', async (given, stored) => {
    expect(await replyToOf({ replyTo: given })).toBe(stored);
    expect(await replyToOf({ reply: given })).toBe(stored);
    expect(await replyToOf({ replyTo: stored })).toBe(stored);
    const created = await createTemplate.runRaw(project.ctx, { ...template, replyTo: given });
    expect(created.replyTo).toBe(stored);
    expect(await updateTemplate.runRaw(project.ctx, { id: created.id, reply: given })).toMatchObject({
      replyTo: stored,
    });
  });

  it.each([
    [[], 'replyTo', 'too_small'],
    [Array(6).fill('a@shop.test'), 'replyTo', 'too_big'],
    [Array(6).fill('a@shop.test').join(','), 'replyTo', 'too_big'],
    [
      Array.from({ length: 5 }, (_, n) => ({ name: 'n'.repeat(200), email: `a${n}@shop.test` })),
      'replyTo',
      'too_big',
    ],
    [['a@shop.test', 'nobody'], 'replyTo.1', 'invalid_string'],
    [['a@shop.test', { name: 'B' }], 'replyTo.1.email', 'required'],
    ['a@shop.test, nobody', 'replyTo', 'invalid_string'],
    [5, 'replyTo', 'invalid_type'],
    [{ email: 'a@shop.test', nmae: 'A' }, 'replyTo.nmae', 'unsupported_field'],
  ])('%j is refused at %s', async (replyTo, field, code) => {
    const refusal = { code: 'VALIDATION_ERROR', errors: [{ field, code }] };
    await expect(sendEmail.runRaw(project.ctx, { ...message, replyTo })).rejects.toMatchObject(refusal);
    await expect(createTemplate.runRaw(project.ctx, { ...template, replyTo })).rejects.toMatchObject(refusal);
  });

  it('have two names, which may be given together if they agree', async () => {
    expect(await replyToOf({ reply: 'A@shop.test', replyTo: 'a@shop.test' })).toBe('a@shop.test');
    const both = { reply: 'a@shop.test', replyTo: 'b@shop.test' };
    const refusal = { code: 'VALIDATION_ERROR', errors: [{ field: 'replyTo', code: 'custom' }] };
    await expect(replyToOf(both)).rejects.toMatchObject(refusal);
    await expect(createTemplate.runRaw(project.ctx, { ...template, ...both })).rejects.toMatchObject(refusal);
  });

  it('of a template stay unless they are given, and null removes them', async () => {
    const { id } = await createTemplate.runRaw(project.ctx, { ...template, reply: list });
    expect(await updateTemplate.runRaw(project.ctx, { id, name: 'U' })).toMatchObject({ replyTo: list });
    expect(await updateTemplate.runRaw(project.ctx, { id, replyTo: null })).toMatchObject({ replyTo: null });
  });
});

it('the sender of a template is a mailbox, whose name counts without fromName', async () => {
  const mailbox = { name: 'Shop', email: 'Team@shop.test' };
  const named = await createTemplate.runRaw(project.ctx, { ...template, from: mailbox });
  expect(named).toMatchObject({ from, fromName: 'Shop' });
  expect(
    await createTemplate.runRaw(project.ctx, { ...template, from: mailbox, fromName: 'Store' }),
  ).toMatchObject({ from, fromName: 'Store' });
  await expect(
    createTemplate.runRaw(project.ctx, { ...template, from: { name: 'Shop' } }),
  ).rejects.toMatchObject({ errors: [{ field: 'from.email', code: 'required' }] });
  const { from: _, ...without } = template;
  await expect(createTemplate.runRaw(project.ctx, without)).rejects.toMatchObject({
    errors: [{ field: 'from', code: 'required' }],
  });
});
