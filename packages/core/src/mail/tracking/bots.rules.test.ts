import { describe, expect, it } from 'vitest';
import { isBot, isPrefetch, testsLinks } from './bots.rules.ts';

describe('isBot', () => {
  it.each([
    undefined,
    null,
    '',
    '  ',
    'Googlebot/2.1 (+http://www.google.com/bot.html)',
    'Slackbot-LinkExpanding 1.0',
    'Acme LINK PREVIEW service',
    'Some Mail Scanner/3.0 (Windows)',
    'Uptime Monitoring 1.0',
    'curl/8.5.0',
    'python-requests/2.32',
    'axios/1.8.0',
    'Mozilla/5.0 (compatible; AcmeBot/1.0)',
    'Mozilla/5.0 (compatible; AcmeBot/1.0; GoogleImageProxy)',
    'Mozilla/5.0 (Macintosh) HeadlessChrome/130.0.0.0',
    'Mozilla/5.0 (compatible; BarracudaCentral)',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Proofpoint/1.0',
    'Mozilla/5.0 (Windows NT 10.0; Mimecast) Gecko/20100101 Firefox/128.0',
    'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 (Url Scan)',
  ])('%s is a machine', (userAgent) => {
    expect(isBot(userAgent)).toBe(true);
  });

  it.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0',
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.5; ms-office; MSOffice 16)',
    'Mozilla/5.0 (Linux; U; Android 2.3.5; HTC Wildfire S A510e) AppleWebKit/533.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/533.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Avast/130.0',
    'Mozilla/5.0 (Macintosh)',
    'Mozilla/5.0 (iPhone)',
    'Mozilla/5.0',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  ])('%s is a reader', (userAgent) => {
    expect(isBot(userAgent)).toBe(false);
  });
});

describe('testsLinks', () => {
  it.each([
    ['Mozilla/4.0 (compatible; ms-office; MSOffice rmj)', true],
    ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)', true],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      false,
    ],
    [null, false],
  ])('%s: %s', (userAgent, expected) => {
    expect(testsLinks(userAgent)).toBe(expected);
  });
});

describe('isPrefetch', () => {
  it.each([
    [[undefined, 'prefetch'], true],
    [['prefetch;prerender'], true],
    [['Preview'], true],
    [['navigate', undefined, ''], false],
    [[], false],
  ])('%j: %s', (values, expected) => {
    expect(isPrefetch(values)).toBe(expected);
  });
});
