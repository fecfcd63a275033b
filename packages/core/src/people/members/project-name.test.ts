import { expect, it } from 'vitest';
import { nameForStrangers } from './project-name.rules.ts';

it.each([
  'Example Shop',
  'Müller & Söhne',
  'Version 2.0',
  'R.E.M',
  'Nr. 5',
  '{{ name }}',
  '日本のショップ',
  'A.',
])('%s is a name', (name) => expect(nameForStrangers(name)).toBe(name));

it.each([
  'Pay at pay.example',
  'PAY.EXAMPLE',
  'https://evil',
  'www.evil',
  'call me@evil',
  'bank.example/login',
  'ｐａｙ．ｅｘａｍｐｌｅ',
  'pay。example',
  'pay․example',
  'http：／／evil',
  'me＠evil',
  'пример.испытание',
  'a.xn--p1ai',
  '192.0.2.1',
])('%s could be read as an address', (name) => expect(nameForStrangers(name)).toBeNull());
