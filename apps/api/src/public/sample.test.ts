import { createTopic } from '@postrider/core/audience/topics';
import { MAIL_LANGUAGES } from '@postrider/core/base/lib/contract';
import { createForm } from '@postrider/core/mail/forms';
import { recipientPages } from '@postrider/core/mail/forms/contract';
import { createTestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startApp, type TestApp } from '../../test/harness.ts';
import { texts } from './texts/index.ts';

let test: TestApp;
let form: Awaited<ReturnType<typeof createForm.run>>;

beforeAll(async () => {
  test = await startApp();
  const { ctx } = test.project;
  const named = { en: 'Product news', de: 'Neues vom Produkt' };
  await createTopic.run(ctx, { key: 'product', name: named, default: 'OUT' });
  await createTopic.run(ctx, { key: 'staff', name: { en: 'Staff' }, default: 'IN', visibility: 'PRIVATE' });
  form = await createForm.run(ctx, {
    name: 'Footer',
    title: { en: 'Our newsletter', de: 'Unser Newsletter' },
    consentText: { en: 'Yes, send me news.', de: 'Ja, gern.' },
    topics: ['general', 'product'],
  });
});
afterAll(() => test.close());

const look = (page: string, query = '', key = test.project.secretKey): Promise<Answer> =>
  test.withKey(key)('GET', `/consent/pages/${page}${query}`);

describe('GET /consent/pages/:page', () => {
  it.each(recipientPages)('%s: a page in every language, which leads nowhere', async (page) => {
    for (const language of MAIL_LANGUAGES) {
      const { status, text, headers } = await look(page, `?language=${language}`);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain('Test project');
      expect(
        [...text.matchAll(/ (?:action|href)="([^"]*)"/g)].filter(([, to]) => !to?.startsWith('#')),
      ).toEqual([]);
    }
  });

  it('shows the public topics, and the form that is named or the newest', async () => {
    const { text } = await look('preferences', '?language=de');
    expect(text).toContain('Neues vom Produkt');
    expect(text).not.toContain('Staff');
    expect((await look('form', '?language=de')).text).toContain('Unser Newsletter');
    expect((await look('confirm')).text).toContain('Yes, send me news.');
    expect((await look('form', `?formId=${form.id}`)).text).toContain(texts.en.form.email);
  });

  it('404 for a form of another project, and where there is none', async () => {
    const other = await createTestProject(test.services);
    for (const query of ['', `?formId=${form.id}`])
      expect((await look('form', query, other.secretKey)).status).toBe(404);
    expect((await look('confirm', '', other.secretKey)).status).toBe(200);
  });

  it('needs a credential, a page and a language that exist', async () => {
    expect((await test.anyone('GET', '/consent/pages/confirm')).status).toBe(401);
    expect((await look('nothing')).status).toBe(422);
    expect((await look('confirm', '?language=xx')).status).toBe(422);
  });
});
