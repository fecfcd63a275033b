import { expect, it } from 'vitest';
import { providerOf } from './mail-hosts.rules.ts';

const records = (...exchanges: string[]) => exchanges.map((exchange, priority) => ({ exchange, priority }));

it.each([
  ['google', ['aspmx.l.google.com', 'alt1.aspmx.l.google.com']],
  ['google', ['ASPMX2.GOOGLEMAIL.COM.']],
  ['microsoft', ['contoso-com.mail.protection.outlook.com']],
  ['microsoft', ['contoso-com.j-v1.mx.microsoft']],
  ['yahoo', ['mta5.am0.yahoodns.net']],
  ['apple', ['mx01.mail.icloud.com']],
  ['proton', ['mail.protonmail.ch', 'mailsec.protonmail.ch']],
  ['zoho', ['mx.zoho.eu']],
  ['fastmail', ['in1-smtp.messagingengine.com']],
  ['mimecast', ['eu-smtp-inbound-1.mimecast.com']],
  ['other', ['mail.firm.test']],
  ['other', ['mx.notgoogle.com', 'google.com.firm.test', 'com', '', '.']],
  ['other', []],
])('%s serves %j', (provider, exchanges) => {
  expect(providerOf(records(...exchanges))).toBe(provider);
});

it('the most preferred server that is known decides, whatever the order of the answer', () => {
  expect(
    providerOf([
      { exchange: 'mx.zoho.com', priority: 20 },
      { exchange: 'aspmx.l.google.com', priority: 10 },
      { exchange: 'relay.firm.test', priority: 5 },
    ]),
  ).toBe('google');
});
