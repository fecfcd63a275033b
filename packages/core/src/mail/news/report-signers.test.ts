import { expect, it } from 'vitest';
import { speaksFor } from './report-signers.ts';

it.each([
  ['people.example', ['people.example'], true],
  ['people.example', ['mail.people.example'], true],
  ['google.com', ['shop.example', 'aspmx.l.google.com'], true],
  ['l.google.com', ['shop.example', 'aspmx.l.google.com.'], true],
  ['outlook.com', ['shop.example', 'shop-example.mail.protection.Outlook.com'], true],
  ['arf.mail.yahoo.com', ['aol.com'], true],
  ['senderscore.net', ['yandex.ru'], true],
  ['comcastfbl.senderscore.net', ['comcast.net'], false],
  ['sub.arf.mail.yahoo.com', ['aol.com'], false],
  ['mail.yahoo.com', ['aol.com'], false],
  ['yahoo.com', ['people.example'], false],
  ['returnpath.net', ['people.example'], false],
  ['signal-spam.fr', ['people.example'], false],
  ['evil.example', ['people.example'], false],
  ['sub.people.example', ['people.example'], false],
  ['ople.example', ['people.example'], false],
  ['example', ['people.example'], false],
  ['com', ['google.com'], false],
  ['co.uk', ['people.co.uk', 'mx.people.co.uk'], false],
  ['people.co.uk', ['mx.people.co.uk'], true],
  ['github.io', ['people.github.io'], false],
  ['evilsenderscore.net', ['people.example'], false],
  ['', ['people.example'], false],
])('a signature of %j for %j: %s', (domain, hosts, speaks) => {
  expect(speaksFor(domain, hosts)).toBe(speaks);
});
