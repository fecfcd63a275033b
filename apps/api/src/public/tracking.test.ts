import { interactionsStored, judgeClicks } from '@postrider/core/mail/tracking';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../test/harness.ts';
import { changedByOne, type Mail, reader, sentMail } from './public.fixture.ts';

let test: TestApp;
let mail: Mail;

beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  mail = await sentMail(test);
});

const emailOf = async () => {
  await interactionsStored(test.services);
  await judgeClicks(test.services, { waitMs: 0 });
  return test.services.database.prisma.email.findUniqueOrThrow({ where: { id: mail.emailId } });
};
const interactions = async () => {
  await interactionsStored(test.services);
  return test.services.database.prisma.interaction.findMany({ where: { emailId: mail.emailId } });
};

describe('GET /t/o/:token.gif', () => {
  it('200 with an uncached pixel, and an open', async () => {
    const answer = await test.app.inject({ url: mail.openPath, headers: reader });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'image/gif', 'cache-control': 'no-store' });
    expect(answer.rawPayload.subarray(0, 6).toString()).toBe('GIF89a');
    expect(answer.rawPayload.readUInt16LE(6)).toBe(1);
    expect(answer.rawPayload.readUInt16LE(8)).toBe(1);
    expect(answer.headers).not.toHaveProperty('ratelimit-limit');
    expect(await emailOf()).toMatchObject({ opens: 1, status: 'OPENED' });
  });

  it.each([
    ['changed by one character', () => `/t/o/${changedByOne(mail.openPath.slice(5, -4))}.gif`],
    ['of another kind', () => `/t/o/${mail.pages.slice(3)}.gif`],
    ['empty', () => '/t/o/.gif'],
    ['with signs that no token has', () => '/t/o/%00%20a/b%2Fc.gif'],
    ['of 10 KB', () => `/t/o/${'x'.repeat(10_000)}.gif`],
  ])('a token %s: the same image, nothing recorded', async (_what, path) => {
    const answer = await test.app.inject({ url: path(), headers: reader });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/gif']);
    expect(await interactions()).toEqual([]);
  });

  it('HEAD records nothing', async () => {
    const answer = await test.app.inject({ method: 'HEAD', url: mail.openPath, headers: reader });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/gif']);
    expect(await interactions()).toEqual([]);
  });

  it('without a User-Agent: counts as a bot', async () => {
    // `inject` sends its own User-Agent by default; an empty one omits the header.
    await test.app.inject({ url: mail.openPath, headers: { 'user-agent': '' } });
    expect(await interactions()).toMatchObject([{ bot: true }]);
    expect((await emailOf()).opens).toBe(0);
  });

  it('without the .gif: an unknown route', async () => {
    expect((await test.anyone('GET', '/t/o/abc')).status).toBe(404);
  });
});

describe('GET /t/c/:token', () => {
  const link = 'https://shop.test/offer?a=1&b=%20x#part';

  it('302 to the original link, and a click', async () => {
    const answer = await test.anyone('GET', mail.clickPath(link), undefined, reader);
    expect(answer.status).toBe(302);
    expect(answer.headers).toMatchObject({
      location: link,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(await emailOf()).toMatchObject({ clicks: 1, status: 'CLICKED' });
    expect(await interactions()).toMatchObject([{ type: 'click', link, bot: false }]);
  });

  it('of an email with tags of links: 302 to the link with them, and a click of the link as written', async () => {
    const { prisma } = test.services.database;
    const { contentId } = await prisma.email.findUniqueOrThrow({ where: { id: mail.emailId } });
    const utm = { hosts: ['shop.test'], source: 's', medium: 'm', campaign: 'c' };
    await prisma.content.update({ where: { id: contentId }, data: { utm } });
    const answer = await test.anyone('GET', mail.clickPath(link), undefined, reader);
    expect(answer.headers['location']).toBe(
      'https://shop.test/offer?a=1&b=%20x&utm_source=s&utm_medium=m&utm_campaign=c#part',
    );
    const other = 'https://other.test/?a=1';
    expect((await test.anyone('GET', mail.clickPath(other), undefined, reader)).headers['location']).toBe(
      other,
    );
    expect((await interactions()).map((row) => row.link).sort()).toEqual([other, link]);
  });

  it.each([
    ['https://shop.test/größe?q=a b', 'https://shop.test/gr%C3%B6%C3%9Fe?q=a%20b'],
    ['https://shop.test/\r\nset-cookie: a=b', 'https://shop.test/set-cookie:%20a=b'],
    ['https://shop.test', 'https://shop.test'],
  ])('%j fits into a header', async (url, location) => {
    const answer = await test.anyone('GET', mail.clickPath(url), undefined, reader);
    expect([answer.status, answer.headers['location']]).toEqual([302, location]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('302 for links of several thousand characters', async () => {
    const url = `https://shop.test/?q=${'x'.repeat(5_000)}`;
    expect((await test.anyone('GET', mail.clickPath(url), undefined, reader)).headers['location']).toBe(url);
  });

  it('HEAD and bots are redirected and do not count', async () => {
    expect((await test.anyone('HEAD', mail.clickPath(link), undefined, reader)).status).toBe(302);
    const bot = { 'user-agent': 'SafeLinkScanner/2' };
    expect((await test.anyone('GET', mail.clickPath(link), undefined, bot)).status).toBe(302);
    expect(await interactions()).toMatchObject([{ bot: true }]);
    expect((await emailOf()).clicks).toBe(0);
  });

  it.each([
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'Prefetch'],
  ])('with %s: %s it is redirected, and does not count; nor does an open', async (name, value) => {
    const headers = { ...reader, [name]: value };
    expect((await test.anyone('GET', mail.clickPath(link), undefined, headers)).status).toBe(302);
    await test.app.inject({ url: mail.openPath, headers });
    expect(await emailOf()).toMatchObject({ status: 'SENT', opens: 0, clicks: 0 });
    expect(await interactions()).toMatchObject([{ bot: true }, { bot: true }]);
  });

  it('of an Office program that tests the link does not count, while the browser that it opens does', async () => {
    const office = { 'user-agent': 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)' };
    await test.app.inject({ url: mail.openPath, headers: office });
    await test.anyone('GET', mail.clickPath(link), undefined, office);
    expect(await emailOf()).toMatchObject({ status: 'OPENED', opens: 1, clicks: 0 });
    await test.anyone('GET', mail.clickPath(link), undefined, reader);
    expect(await emailOf()).toMatchObject({ status: 'CLICKED', clicks: 1 });
  });

  it.each([
    ['changed by one character', () => changedByOne(mail.clickPath(link))],
    ['of another kind', () => `/t/c/${mail.pages.slice(3)}`],
    ['that is an address', () => '/t/c/https://evil.test/'],
    ['that is an encoded address', () => '/t/c/https%3A%2F%2Fevil.test'],
    ['of 2 KB', () => `/t/c/${'x'.repeat(2_048)}`],
  ])('404 for a token %s, and never a redirect', async (_what, path) => {
    const answer = await test.anyone('GET', path(), undefined, reader);
    expect(answer.status).toBe(404);
    expect(answer.headers['location']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(await interactions()).toEqual([]);
  });

  describe('of a project that was disabled for phishing', () => {
    const disable = (language: string) =>
      test.services.database.prisma.project.update({
        where: { id: test.project.id },
        data: { disabled: true, disabledReason: 'PHISHING_DETECTED', language },
      });
    afterEach(async () => {
      await test.services.database.prisma.project.update({
        where: { id: test.project.id },
        data: { disabled: false, disabledReason: null, language: 'en' },
      });
    });

    it('410 with a page within seconds, and never a redirect, even for a link that was just followed', async () => {
      const path = mail.clickPath(link);
      await expect.poll(async () => (await test.anyone('GET', path, undefined, reader)).status).toBe(302);
      await disable('de');
      const before = (await interactions()).length;
      const answer = await vi.waitFor(
        async () => {
          const current = await test.anyone('GET', path, undefined, reader);
          expect(current.status).toBe(410);
          return current;
        },
        { timeout: 45_000, interval: 200 },
      );
      expect(answer.headers['location']).toBeUndefined();
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.text).toContain('<html lang="de">');
      expect((await test.anyone('HEAD', path, undefined, reader)).status).toBe(410);
      // Clicks that were redirected before the process noticed are recorded; blocked ones are not.
      const after = (await interactions()).length;
      expect((await test.anyone('GET', path, undefined, reader)).status).toBe(410);
      expect((await interactions()).length).toBe(after);
      expect(after).toBeGreaterThanOrEqual(before);
      const opened = await test.app.inject({ url: mail.openPath, headers: reader });
      expect([opened.statusCode, opened.headers['content-type']]).toEqual([200, 'image/gif']);
    });
  });
});
