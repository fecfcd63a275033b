import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upsertContact } from '../../audience/contacts/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { previewContent } from './preview-content.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services, { name: 'Gazette' });
});
afterAll(() => test.close());

const letter = { subject: 'For {{name ?? you}}', body: '<p>Dear {{name ?? reader}}</p>', type: 'HEADLESS' };
const preview = (input: object = {}) => previewContent.runRaw(project.ctx, { ...letter, ...input });
const known = (email: string, data: object) => upsertContact.runRaw(project.ctx, { email, data });

describe('a preview of unsaved content', () => {
  it('is rendered without a contact, with sample data, and for a contact', async () => {
    expect(await preview()).toMatchObject({ subject: 'For you', limited: false });
    expect((await preview()).html).toContain('<p>Dear reader</p>');
    expect((await preview()).text).toContain('Dear reader');
    const ada = await preview({ data: { name: 'Ada & Co' } });
    expect(ada.subject).toBe('For Ada & Co');
    expect(ada.html).toContain('<p>Dear Ada &amp; Co</p>');
    const { id: contactId } = await known('kim@example.com', { name: 'Kim', plan: 'pro' });
    const body = '{{email}} {{name}} {{plan}}';
    expect((await preview({ contactId, body, data: { plan: 'free' } })).html).toContain(
      'kim@example.com Kim free',
    );
  });

  it('renders the template language as sending does', async () => {
    const body = '{% for item in items %}<li>{{item.title}}</li>{% endfor %}';
    const { html } = await preview({ body, data: { items: [{ title: 'Tea' }, { title: '<b>' }] } });
    expect(html).toContain('<li>Tea</li><li>&lt;b&gt;</li>');
  });

  it('has the footer of its type in the language of the recipient, with links without an owner', async () => {
    const { id: contactId } = await known('jan@example.com', { locale: 'nl-BE' });
    const { html } = await preview({ type: 'MARKETING', contactId });
    expect(html).toContain('ingeschreven bij Gazette');
    expect(html).not.toContain('Gazette</p>');
    const [token] = /\/u\/[^/"]+/.exec(html) ?? [];
    expect((await preview({ type: 'MARKETING' })).html).toContain(token ?? 'no link');
    expect((await preview({ type: 'TRANSACTIONAL', contactId })).html).not.toContain('<hr>');
  });

  it('may be empty', async () => {
    expect(await preview({ subject: '', body: '' })).toMatchObject({ subject: '' });
  });

  it('with an endless loop is cut short and marked as such', async () => {
    const body = '{{name}}{% for a in (1..999999) %}{% for b in (1..999999) %}{{b}}{% endfor %}{% endfor %}';
    const answer = await preview({ body, data: { name: 'Ada' } });
    expect(answer.limited).toBe(true);
    expect(answer.html).toContain('Ada');
    expect(answer.html.length).toBeLessThan(10_000_000);
  });
});

describe('is refused', () => {
  it.each([
    [
      { body: '<p>\n  {{ name' },
      { field: 'body', code: 'template_syntax' },
      { field: 'body', line: 2, column: 3 },
    ],
    [{ subject: 'A {% if %}' }, { field: 'subject', code: 'template_syntax' }, { field: 'subject', line: 1 }],
    [{ data: { text: 'x'.repeat(70_000) } }, { field: 'data', code: 'too_big' }, undefined],
    [{ data: [1] }, { field: 'data', code: 'invalid_type' }, undefined],
    [{ subject: 'x'.repeat(999) }, { field: 'subject', code: 'too_big' }, undefined],
  ])('with its place: %j', async (input, error, details) => {
    await expect(preview(input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [error],
      ...(details ? { details } : {}),
    });
  });

  it('for a contact of another project', async () => {
    const foreign = await createTestProject(test.services);
    const { id } = await upsertContact.run(foreign.ctx, { email: 'secret@example.com' });
    await expect(preview({ contactId: id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
  });
});
