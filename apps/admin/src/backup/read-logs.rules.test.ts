import { describe, expect, it } from 'vitest';
import { emailsIn, optOutIn } from './read-logs.rules.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const token = 'u3f2aGkDxYzAbCdEfGhIjKlMnOpQrSt';

describe('emails in the log of a mail server', () => {
  it.each([
    ['Postfix', `Mar  1 09:30:00 mx postfix/cleanup[71]: 4B2F: message-id=<${id}@shop.example>`],
    ['Exim', `2026-03-01 09:30:00 1abc-00 <= a@shop.example H=app id=<${id}@shop.example>`],
    ['JSON', `{"event":"accepted","message_id":"<${id.toUpperCase()}@shop.example>"}`],
  ])('%s', (_name, line) => {
    expect(emailsIn(line)).toEqual([id]);
  });

  it('are not those of other senders', () => {
    expect(emailsIn('message-id=<20260301.4B2F@other.example>')).toEqual([]);
    expect(emailsIn('message-id=<7f3c0d5e-8a51-4c0e-9b59-3f0f0a9e9b11@other.example>')).toEqual([]);
    expect(emailsIn(`${id} without brackets`)).toEqual([]);
  });
});

describe('opt-outs in an access log', () => {
  it.each([
    [
      'combined',
      `192.0.2.1 - - [01/Mar/2026:09:30:00 +0000] "POST /u/${token} HTTP/1.1" 200 12 "-" "Mail"`,
      'one_click',
    ],
    ['with a host', `shop.example POST https://links.shop.example/u/${token}?x=1 200`, 'one_click'],
    ['JSON', `{"method":"POST","url":"/u/${token}","status":200}`, 'one_click'],
    ['the page', `"POST /u/${token}/unsubscribe HTTP/1.1" 200`, 'page'],
  ])('%s', (_name, line, source) => {
    expect(optOutIn(line)).toEqual({ token, source });
  });

  it.each([
    `"GET /u/${token} HTTP/1.1" 200`,
    `"POST /u/${token}/manage HTTP/1.1" 200`,
    `"POST /u/${token}/subscribe HTTP/1.1" 200`,
    `"POST /u/not-me/${token} HTTP/1.1" 200`,
    '"POST /v1/send HTTP/1.1" 200',
  ])('%s is none', (line) => {
    expect(optOutIn(line)).toBeNull();
  });
});
