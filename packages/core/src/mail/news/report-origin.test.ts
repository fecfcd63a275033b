import { expect, it } from 'vitest';
import { originOf } from './report-origin.rules.ts';

it.each([
  ['by relay.example (Postfix) id 4xyz; Thu, 1 Jan 2026 00:00:00 +0000', []],
  [
    'from mx.evil.example (unknown [198.51.100.7]) by relay.example (Postfix) with ESMTP id 1',
    ['198.51.100.7'],
  ],
  ['from mx.evil.example ([IPv6:2001:db8::7]) by relay.example with ESMTPS', ['2001:db8::7']],
  ['from [192.0.2.1] (helo=x) by relay.example with esmtp (Exim 4.98)', ['192.0.2.1']],
  ['from Debian-exim by relay.example with local (Exim 4.98) id 1', []],
  ['from localhost (localhost) by relay.example (8.17/8.17) id 1', []],
  ['from localhost (localhost [127.0.0.1]) by relay.example (Postfix)', ['127.0.0.1']],
  ['from mx.evil.example by relay.example with ESMTP', ['mx.evil.example']],
  ['(qmail 1234 invoked for bounce); 1 Jan 2026 00:00:00 -0000', []],
  ['FROM mx.evil.example BY relay.example', ['mx.evil.example']],
  ['from', ['unknown']],
  ['', []],
])('Received: %s names %j', (value, clients) => {
  expect(originOf([{ name: 'received', value }]).receivedFrom).toEqual(clients);
});

it('the first five signatures count, each with its domain and selector', () => {
  const signature = (n: number) => ({
    name: 'dkim-signature',
    value: `v=1; a=rsa-sha256; d=P${n}.Example;\r\n s=k ${n}; b=x=`,
  });
  const { signatures } = originOf([
    { name: 'dkim-signature', value: 'v=1; d=without-selector.example' },
    ...[1, 2, 3, 4, 5].map(signature),
  ]);
  expect(signatures).toEqual([1, 2, 3, 4].map((n) => ({ domain: `p${n}.example`, selector: `k${n}` })));
});
