import { startSink } from '@postrider/local/sink';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import type { EmailClass } from '../../base/db/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { createTestProject, createTestServices, verifiedDomain } from '../../testing/index.ts';
import { drained, withDelivery } from '../delivery/delivery.fixture.ts';
import { previewContent } from './preview-content.ts';
import { previewEmail } from './preview-email.ts';
import { sendEmail } from './send-email.ts';

const texts = {
  subject: 'For {{name ?? you}}',
  preheader: 'News < 5 & for {{name}}',
  body: '<p>Dear {{name}},</p>{% if plan == "pro" %}<p><a href="https://shop.example/?a=1&amp;b=2">Pro</a></p>{% endif %}',
};

/** Normalises the CRLF line ends of quoted-printable and the token in each recipient's links. */
const comparable = (html: string | null | undefined): string =>
  (html ?? '')
    .replaceAll('\r\n', '\n')
    .trim()
    .replace(/\/u\/[^/"]+/g, '/u/token');

it.each<EmailClass>(['TRANSACTIONAL', 'MARKETING', 'HEADLESS'])(
  'the preview while writing, the preview of the stored email and the delivered mail are the same: %s',
  async (type) => {
    const sink = await startSink({ keepRaw: true });
    const test = await createTestServices({ env: { SMTP_URL: sink.url } });
    const { ctx, ...project } = await createTestProject(test.services);
    await verifiedDomain(test.services, project.id, 'mail.test');
    const template = await createTemplate.run(ctx, { name: 'T', from: 'sender@mail.test', type, ...texts });
    const { emails } = await sendEmail.run(ctx, {
      to: 'ann@people.test',
      template: template.id,
      subscribed: true,
      tracking: false,
      data: { name: 'Ann & Co', plan: 'pro' },
    });
    await withDelivery(test.services, sink.url, () => drained(test.services, project.id));
    const mail = await PostalMime.parse(sink.messages()[0]?.raw ?? '');
    const contactId = emails[0]?.contact?.id ?? '';
    const written = await previewContent.run(ctx, { ...texts, type, contactId });
    const stored = await previewEmail.run(ctx, { id: emails[0]?.email ?? '' });
    await test.close();
    await sink.stop();

    expect(mail.subject).toBe('For Ann & Co');
    expect(mail.html).toContain('Dear Ann &amp; Co');
    expect([written.subject, stored.subject]).toEqual([mail.subject, mail.subject]);
    expect(mail.html).toMatch(/<body>\n<div data-preheader [^>]*>News &lt; 5 &amp; for Ann &amp; Co/);
    expect(mail.text).not.toContain('News');
    expect(written.preheader).toBe('News < 5 & for Ann & Co');
    expect(comparable(written.html)).toBe(comparable(mail.html));
    expect(comparable(stored.html)).toBe(comparable(mail.html));
  },
);
