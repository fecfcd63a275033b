import { describe, expect, it } from 'vitest';
import { mailClientOf } from './mail-client.ts';

describe('mailClientOf', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0',
      'Thunderbird',
      'desktop',
    ],
    [
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.5; ms-office; MSOffice 16)',
      'Outlook',
      'desktop',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
      'Apple Mail',
      'desktop',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
      'Apple Mail',
      'mobile',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'tablet',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Chrome',
      'desktop',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
      'Chrome',
      'mobile',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64) Unheard/2.0', 'Other', 'desktop'],
  ])('%s is %s on %s', (userAgent, client, device) => {
    expect(mailClientOf(userAgent)).toEqual({ client, device, bot: false });
  });

  it.each([
    [
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'Gmail image proxy',
    ],
    ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', 'Yahoo Mail proxy'],
    ['Mozilla/5.0', 'Apple privacy proxy'],
  ])('%s is a proxy, not the browser that it names, and opens for a person', (userAgent, client) => {
    expect(mailClientOf(userAgent)).toEqual({ client, device: 'proxy', bot: false });
  });

  it.each([undefined, null, '', 'curl/8.5.0', 'Googlebot/2.1 (+http://www.google.com/bot.html)'])(
    '%s is a machine',
    (userAgent) => {
      expect(mailClientOf(userAgent)).toEqual({ client: 'Machine', device: 'machine', bot: true });
    },
  );

  it('of a User-Agent 512 characters are read', () => {
    const browser = 'Mozilla/5.0 (X11; Linux x86_64) '.padEnd(500, 'Extension/1.0 ');
    expect(mailClientOf(browser).bot).toBe(false);
    expect(mailClientOf(`${browser}SomeCrawler/1.0`)).toMatchObject({ client: 'Machine', bot: true });
    expect(mailClientOf(`${browser}${'x'.repeat(12)} SomeCrawler/1.0`).bot).toBe(false);
  });
});
